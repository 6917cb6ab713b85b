import { beforeAll, expect, test } from 'vitest'
import { ensureProgramIsBuilt } from './support/cli.ts'
import { editedFolder } from './support/cli-folders.ts'

beforeAll(ensureProgramIsBuilt)

test('history prune folds the snapshots of a day, and says what it removed', () => {
  using folder = editedFolder()
  const prune = (...args: string[]) => folder.run('history', 'prune', ...args)
  expect(prune('--keep', '90d').stdout).toBe('nothing to prune: every snapshot is kept\n')
  const all = ['--keep', '0', '--keep-last', '1']
  expect(prune(...all, '--dry-run').stdout).toMatch(
    /^would prune 1 snapshot, \d+ versions?, \d+ texts? \(\d+ B\); database .* → about .*\. This was a dry run: nothing was changed\n$/,
  )
  expect(folder.run('history').stdout.split('\n')).toHaveLength(3)
  expect(folder.run('inspect').stdout).toMatch(
    /History: +\d+ versions\n +└─ texts: +\d+ B that only history holds\n/,
  )
  expect(JSON.parse(prune(...all, '--json').stdout)).toMatchObject({ dry_run: false, snapshots: 1 })
  expect(folder.run('history').stdout).toMatch(/^#2 .*\n$/)
  expect(folder.run('rollback', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('snapshot 1 was pruned; the nearest kept moment is 2'),
  })
  expect(folder.run('doctor').stdout).toMatch(/history +1 snapshot, \d+ versions, 0 B of texts/)
})

test.each([
  [[], 2, 'name how long to keep every snapshot: remindb history prune --keep 90d'],
  [['--keep', 'long'], 1, 'keep must be a duration such as 90d or 12h, got long'],
  [['--keep', '1d', '--keep-last', '0'], 2, '--keep-last'],
])('history prune %j is refused', (args, code, message) => {
  using folder = editedFolder()
  const result = folder.run('history', 'prune', ...args)
  expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) })
})
