import { chmodSync, cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { remindb, type TemporaryFolder, temporaryFolder } from './cli.ts'

export const BILLING = '# Billing\n\nRetries are capped at five.\n\n## Cards\n\nalpha\nbeta\ngamma\n'
export const OPS = '# Ops\n\nTalk to Ada.\n'
export const ID = '[0-9A-Za-z]{11}'

/** Where folders were, by where copies of them are. */
const prepared = new Map<string, string>()

/**
 * A folder for one test, as `prepare` leaves it. That is called once in a test file: the next test gets a copy of what it
 * made, at the same path, because a memory knows the path of what it remembers.
 */
export function preparedFolder(
  name: string,
  files: Record<string, string>,
  prepare: (folder: TemporaryFolder) => void,
): TemporaryFolder {
  // In the home of the test file, and gone with it: see own-home.ts.
  const copy = join(process.env.HOME ?? '', 'prepared', name)
  const path = prepared.get(copy)
  // A test that has two gets another one.
  if (path !== undefined && !existsSync(path)) {
    copyFolder(copy, path)
    return temporaryFolder({}, path)
  }
  const folder = temporaryFolder(files)
  prepare(folder)
  if (path === undefined) copyFolder(folder.path, copy)
  prepared.set(copy, folder.path)
  return folder
}

/** With the modes of folders, which `cpSync` does not keep. */
function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true })
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' })
  for (const name of ['.', ...names]) chmodSync(join(to, name), statSync(join(from, name)).mode)
}

function withCommands(folder: TemporaryFolder) {
  return {
    ...folder,
    run: runIn(folder),
    db: join(folder.path, '.remindb', 'memory.db'),
    [Symbol.dispose]: folder[Symbol.dispose],
  }
}

const runIn =
  ({ path }: TemporaryFolder) =>
  (...args: string[]) =>
    remindb(args, { cwd: path })

/** A folder with two notes, compiled. */
export function compiledFolder() {
  return withCommands(preparedFolder('compiled', { 'billing.md': BILLING, 'team/ops.md': OPS }, compileFirst))
}

function compileFirst(folder: TemporaryFolder): void {
  expect(runIn(folder)('compile', '.')).toEqual({
    code: 0,
    stdout: 'compiled: 6 added, 0 modified, 0 removed (6 ops)\n',
    stderr: '',
  })
}

/** As `compiledFolder`, and then: one text changed, one moved under another heading, one file gone, one new. */
export function editedFolder() {
  const files = { 'billing.md': BILLING, 'team/ops.md': OPS }
  return withCommands(
    preparedFolder('edited', files, (folder) => {
      compileFirst(folder)
      folder.write('billing.md', BILLING.replace('beta', 'beta CHANGED'))
      rmSync(join(folder.path, 'team/ops.md'))
      folder.write('new.md', '# New\n')
      expect(runIn(folder)('compile', '.', '-m', 'second').stdout).toBe(
        'compiled: 1 added, 1 modified, 2 removed (4 ops)\n',
      )
    }),
  )
}

export function idOf(tree: string, label: string): string {
  return new RegExp(`${label} \\(id=(${ID})`).exec(tree)?.[1] ?? ''
}
