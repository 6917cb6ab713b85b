import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment } from './cli.ts'
import type { Revision } from './mcp.ts'

const CONFORMANCE = join(
  dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))),
  'dist/index.js',
)

export interface Check {
  id: string
  name: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

/** The official suite, run in a folder that takes whatever it leaves. */
function conformance(args: string[], cwd: string): string {
  const run = spawnSync(process.execPath, [CONFORMANCE, ...args], {
    cwd,
    encoding: 'utf8',
    env: cleanEnvironment({ HOME: cwd }),
    maxBuffer: 64 * 1024 * 1024,
    timeout: 100_000,
  })
  if (run.error) throw run.error
  return run.stdout
}

/** Every scenario, by whom it is for (`Server`), with what it belongs to: revisions, or `extension`. */
export function listScenarios(cwd: string): Map<string, Map<string, string[]>> {
  const sections = conformance(['list'], cwd).split(/^(?=\w.* scenarios )/m)
  return new Map(sections.map((section) => [section.split(' scenarios ')[0] ?? '', scenariosIn(section)]))
}

function scenariosIn(section: string): Map<string, string[]> {
  const lines = section.matchAll(/^ +- (\S+) \[(.+)\]$/gm)
  return new Map([...lines].map(([, name, of]) => [String(name), String(of).split(',')]))
}

/** Runs every scenario that a revision has against a server: what each of them checked, by its name. */
export function runScenarios(url: string, revision: Revision, folder: string): Map<string, Check[]> {
  const results = join(folder, revision)
  const flags = ['--url', url, '--suite', 'all', '--spec-version', revision, '--output-dir', results]
  // Its exit code counts scenarios that do not apply.
  conformance(['server', ...flags], folder)
  return new Map(
    readdirSync(results).map((name) => [
      name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\dZ-]+$/, ''),
      JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')),
    ]),
  )
}
