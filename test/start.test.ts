import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment, ensureProgramIsBuilt } from './support/cli.ts'
import { ROOT } from './support/docs.ts'
import { noteFolder } from './support/mcp.ts'
import { soon } from './support/soon.ts'

beforeAll(ensureProgramIsBuilt)

test('npm start serves a folder, says where and what, and ends when it is asked to', async () => {
  const cwd = noteFolder({ 'notes/a.md': '# Deploys\n' })
  const args = [join(ROOT, 'scripts', 'start.mjs'), 'notes', '--listen', '127.0.0.1:0']
  const child = spawn(process.execPath, args, { cwd, env: cleanEnvironment({ HOME: cwd }) })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (piece) => {
    said += piece
  })
  await soon(() => said).toContain('Press Ctrl-C to stop.')
  expect(said).toContain('1 file, 1 node')
  expect(said).toMatch(
    /AGENTS\.md or CLAUDE\.md of your project:\n {2}Before you start work.*\n {2}Save there/,
  )
  expect(said).toContain('There are also records, keys, files: choose with --tools.')
  // The server is that very process: nothing of the setup stays.
  if (process.platform === 'linux')
    expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).toMatch(/bin\/remindb\0serve/)
  const url = said.match(/ at (http:\S+)\/mcp\n/)?.[1] ?? ''
  // The first lines may have left the screen by then.
  expect(said).toContain(`\nOpen ${url}/mcp in a browser to see what to paste. Press Ctrl-C to stop.\n`)
  expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok')
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
})

test('npm start says where flags go when npm passed on only their values', async () => {
  const cwd = noteFolder({ 'notes/a.md': '# Deploys\n' })
  const args = [join(ROOT, 'scripts', 'start.mjs'), 'notes', 'all']
  const child = spawn(process.execPath, args, { cwd, env: cleanEnvironment({ HOME: cwd }) })
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  expect(await once(child, 'close')).toEqual([1, null])
  expect(said).toContain('npm start notes -- --tools all')
})

/** The command lines of all processes below one. */
function commandsBelow(pid: number): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  const read = (child: number): string => readFileSync(`/proc/${child}/cmdline`, 'utf8')
  return children.flatMap((child) => [read(child), ...commandsBelow(child)])
}

test.runIf(process.platform === 'linux')(
  'npm start keeps nothing of its setup resident, whichever Node npm runs on',
  async () => {
    const cwd = noteFolder({ 'a.md': '# Deploys\n' })
    const isOurs = (folder: string): boolean => folder.includes('node_modules')
    const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !isOurs(folder))
    const env = cleanEnvironment({ HOME: cwd, PATH: path.join(delimiter) })
    const args = ['start', cwd, '--', '--listen', '127.0.0.1:0']
    const child = spawn('npm', args, { cwd: ROOT, env, detached: true })
    onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'))
    let said = ''
    child.stdout.on('data', (piece) => {
      said += piece
    })
    await soon(() => said).toContain('Press Ctrl-C to stop.')
    const nodes = commandsBelow(child.pid ?? 0).filter((command) => !command.startsWith('sh\0'))
    expect(nodes).toEqual([expect.stringMatching(/bin\/remindb\0serve/)])
  },
)
