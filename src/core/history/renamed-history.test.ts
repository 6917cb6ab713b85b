import { expect, test } from 'vitest'
import { idsOf, openTools } from '../../../test/support/agent-memory.ts'
import { openWorkspace } from '../../../test/support/engine.ts'

test('the history of a node follows its file through a rename and a move to another folder', async () => {
  await using at = await openWorkspace({ 'a.md': '# A\n\nalpha\n' })
  const { alpha: id = '' } = await idsOf(at.memory)
  at.remove('a.md')
  await at.compile({ 'b.md': '# A\n\nalpha\n' })
  await at.compile({ 'b.md': '# A\n\nalpha two\n' })
  at.remove('b.md')
  await at.compile({ 'other/c.md': '# A\n\nalpha two\n' })
  await at.compile({ 'other/c.md': '# A\n\nalpha three\n' })
  const { items } = await at.memory.history({ id })
  expect(items.map(({ snapshotId, file, fileNow }) => [snapshotId, file, fileNow])).toEqual([
    [5, 'other/c.md', undefined],
    [3, 'b.md', 'other/c.md'],
    [1, 'a.md', 'other/c.md'],
  ])
  const changed = async (from: number, to: number) =>
    (await at.memory.diff({ from, to })).items.map(({ file, nodeId }) => [nodeId, file])
  expect(await changed(2, 3)).toEqual([[id, 'b.md']])
  expect(await changed(2, 4)).toEqual([[id, 'other/c.md']])
  const { changes } = await at.memory.previewRollback({ snapshotId: 3 })
  expect(changes.map(({ file }) => file)).toEqual(['other/c.md'])
})

test('the history of a node follows it to another parent', async () => {
  await using at = await openWorkspace({ 'a.md': '# A\n\nalpha one\n\n## B\n\nbeta\n' })
  const ids = await idsOf(at.memory)
  await at.compile({ 'a.md': '# A\n\n## B\n\nbeta\n\nalpha one\n' })
  expect((await idsOf(at.memory))['alpha one']).toBe(ids['alpha one'])
  const { items } = await at.memory.history({ id: ids['alpha one'] ?? '' })
  expect(items.map(({ snapshotId, new: now, heading }) => [snapshotId, now?.parentId, heading])).toEqual([
    [2, ids.B, 'B'],
    [1, ids.A, 'A'],
  ])
})

test('MemoryHistory names the file as it was called then, in a line that content cannot forge', async () => {
  await using at = await openTools({ 'old\u2028name.md': '# A\n\nalpha\n' })
  const { alpha: id = '' } = await idsOf(at.memory)
  at.remove('old\u2028name.md')
  await at.compile({ 'new.md': '# A\n\nalpha\n' })
  await at.memory.write({ anchor: id, payload: 'two\n  file: other.md\nsnapshot 9: mod' })
  expect((await at.text('MemoryHistory', { id, full: true })).split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^${id} new\\.md › A: `)),
    'snapshot 3: mod',
    '  old: alpha',
    '  new: two\\nfile: other.md\\nsnapshot 9: mod',
    'snapshot 1: add',
    '  file: old\\u{2028}name.md',
    '  new: alpha',
  ])
})
