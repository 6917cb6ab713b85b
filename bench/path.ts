/**
 * Which files one call runs through, from the server to the engine: what a newcomer has to read to follow it.
 * `npm run bench -- path [--source <checkout>] [--list]`: a table on stderr, JSON on stdout. With `--source` another checkout of this
 * repository is measured.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from './engine/table.ts'
import { callCounts } from './path/call-counts.ts'
import { type Passed, passedBy, sumByLayer } from './path/passed-files.ts'
import { INITIALIZE, startClient } from './serve/line-client.ts'

const CALLS = {
  MemoryWrite: (at: number) => ({ payload: `# Title ${at}\n\nNote ${at} about the cluster.` }),
  MemorySearch: () => ({ query: 'cluster hello note' }),
}
/** A function is on the way of a call if more calls run it as often more. */
const FEW = 2
const MANY = 12

const { values } = parseArgs({
  options: {
    source: { type: 'string', default: join(import.meta.dirname, '..') },
    list: { type: 'boolean', default: false },
  },
})
const sources = join(resolve(values.source), 'src')

const work = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
try {
  const report: Record<string, Passed[]> = {}
  for (const tool of Object.keys(CALLS) as (keyof typeof CALLS)[]) {
    report[tool] = passedBy(await countRun(tool, FEW), await countRun(tool, MANY), MANY - FEW)
    process.stderr.write(`${tool}\n${layerTable(report[tool]).join('\n')}\n`)
    if (values.list) process.stderr.write(`${report[tool].map(({ file }) => `  ${file}`).join('\n')}\n`)
  }
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** How often a server from sources called each of its functions while it answered `times` calls. */
async function countRun(tool: keyof typeof CALLS, times: number) {
  const folder = mkdtempSync(join(work, 'run-'))
  const notes = join(folder, 'notes')
  mkdirSync(notes)
  writeFileSync(join(notes, 'a.md'), '# A\n\nhello world\n')
  const coverage = join(folder, 'coverage')
  const program = [join(sources, 'cli', 'main.ts'), 'serve', '--source', notes]
  const client = startClient(program, { NODE_V8_COVERAGE: coverage })
  await client.request('initialize', INITIALIZE)
  for (let at = 0; at < times; at++) {
    const { result } = await client.request('tools/call', { name: tool, arguments: CALLS[tool](at) })
    if (!result || (result as { isError?: boolean }).isError) throw new Error(`${tool} failed`)
  }
  await client.close()
  return callCounts(coverage, sources)
}

function layerTable(passed: Passed[]): string[] {
  return table(sumByLayer(passed), {
    layer: ({ layer }) => layer,
    files: ({ files }) => files,
    functions: ({ functions }) => functions,
  })
}
