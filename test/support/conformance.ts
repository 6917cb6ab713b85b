import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
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
  return checksIn(results)
}

function checksIn(results: string): Map<string, Check[]> {
  return new Map(
    readdirSync(results).map((name) => [
      name.replace(/^(authorization-)?server-/, '').replace(/-\d{4}-\d\d-\d\dT[\dZ-]+$/, ''),
      JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')),
    ]),
  )
}

export interface AuthorizationRun {
  /** Of the authorization server. */
  url: string
  clientId: string
  resource: string
  /** Where the suite waits for the browser. */
  port: number
  revision: Revision
  /** What a person does with the URL that the suite tells them to open. Returns where the browser is sent in the end. */
  openBrowser: (url: string) => Promise<URL>
}

/** Runs every scenario for authorization servers that a revision has: what each of them checked, by its name. */
export async function runAuthorization(run: AuthorizationRun, folder: string): Promise<Map<string, Check[]>> {
  const results = join(folder, `authorization-${run.revision}`)
  const flags = ['--url', run.url, '--client-id', run.clientId, '--resource', run.resource]
  const more = ['--port', String(run.port), '--spec-version', run.revision, '--output-dir', results]
  const child = spawn(process.execPath, [CONFORMANCE, 'authorization', ...flags, ...more], {
    ...{ cwd: folder, env: cleanEnvironment({ HOME: folder }), timeout: 100_000 },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout))
    if (line.startsWith(`${run.url}/`)) await fetch(await run.openBrowser(line))
  await ended
  return checksIn(results)
}
