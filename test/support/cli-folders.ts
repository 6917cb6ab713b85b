import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { remindb, temporaryFolder } from './cli.ts'

export const BILLING = '# Billing\n\nRetries are capped at five.\n\n## Cards\n\nalpha\nbeta\ngamma\n'
export const OPS = '# Ops\n\nTalk to Ada.\n'
export const ID = '[0-9A-Za-z]{11}'

/** A folder with two notes, compiled. */
export function compiledFolder() {
  const folder = temporaryFolder({ 'billing.md': BILLING, 'team/ops.md': OPS })
  const run = (...args: string[]) => remindb(args, { cwd: folder.path })
  expect(run('compile', '.')).toEqual({
    code: 0,
    stdout: 'compiled: 6 added, 0 modified, 0 removed (6 ops)\n',
    stderr: '',
  })
  return {
    ...folder,
    run,
    db: join(folder.path, '.remindb', 'memory.db'),
    [Symbol.dispose]: folder[Symbol.dispose],
  }
}

/** As `compiledFolder`, and then: one text changed, one moved under another heading, one file gone, one new. */
export function editedFolder() {
  const folder = compiledFolder()
  folder.write('billing.md', BILLING.replace('beta', 'beta CHANGED'))
  rmSync(join(folder.path, 'team/ops.md'))
  folder.write('new.md', '# New\n')
  expect(folder.run('compile', '.', '-m', 'second').stdout).toBe(
    'compiled: 1 added, 1 modified, 2 removed (4 ops)\n',
  )
  return folder
}

export function idOf(tree: string, label: string): string {
  return new RegExp(`${label} \\(id=(${ID})`).exec(tree)?.[1] ?? ''
}
