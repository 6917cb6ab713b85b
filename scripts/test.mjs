// npm test [-- vitest filters]: every check of the repository. The last line of stdout is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SetupError } from './report.mjs'
import { ensureBuilt, ensureInstalled, projectNode, ROOT, runAttached, runScript, toolEnv } from './setup.mjs'

const modules = join(ROOT, 'node_modules')

await runScript(async () => {
  const counts = await runChecks(process.argv.slice(2))
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  return counts.failed > 0 ? 1 : 0
})

/** Runs all checks even when one fails. Without the dependencies there is nothing to run: that is then the failure. */
async function runChecks(filters) {
  try {
    await ensureInstalled()
  } catch (error) {
    return outcome('install', false, messageOf(error))
  }
  return [
    await attempt('build', ensureBuilt),
    tool('format and lint', join(modules, '@biomejs', 'biome', 'bin', 'biome'), ['ci', '.']),
    tool('types', join(modules, 'typescript', 'bin', 'tsc'), ['-p', 'tsconfig.json']),
    await vitest(filters),
  ].reduce(add)
}

async function attempt(name, step) {
  try {
    await step()
    return outcome(name, true)
  } catch (error) {
    return outcome(name, false, messageOf(error))
  }
}

function messageOf(error) {
  return error instanceof SetupError ? error.message : error.stack
}

function tool(name, script, args) {
  const options = { cwd: ROOT, env: toolEnv(), stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' }
  const run = spawnSync(projectNode(), [script, ...args], { ...options, maxBuffer: 64 * 1024 * 1024 })
  return outcome(name, run.status === 0, `${run.stdout ?? ''}${run.stderr ?? ''}${run.error?.message ?? ''}`)
}

async function vitest(filters) {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-test-'))
  try {
    const report = join(folder, 'report.json')
    const args = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...filters]
    const command = [join(modules, 'vitest', 'vitest.mjs'), 'run', ...args]
    const exitCode = await runAttached(projectNode(), command, { stdin: 'ignore' })
    return countTests(report, exitCode)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file that did not load, an error outside any test, a missing report and an empty run are failures too. */
function countTests(reportFile, exitCode) {
  const report = readReport(reportFile)
  if (!report) return outcome('vitest', false, `vitest left no report (exit ${exitCode})`)
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const file of report.testResults) {
    for (const { status } of file.assertionResults) counts[statusOf(status)] += 1
    const failsAlone =
      file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')
    if (failsAlone) counts.failed += 1
  }
  if (counts.passed + counts.failed === 0) return add(counts, outcome('vitest', false, 'no test ran'))
  if (exitCode !== 0 && counts.failed === 0)
    return add(
      counts,
      outcome('vitest', false, `vitest ended with exit ${exitCode} though no test failed: see above`),
    )
  return counts
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function statusOf(status) {
  if (status === 'passed' || status === 'failed') return status
  return 'skipped'
}

function outcome(name, ok, output = '') {
  if (!ok && output.trim() !== '') console.log(output.trimEnd())
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}`)
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
}

function add(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}
