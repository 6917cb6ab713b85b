import { expect, test } from 'vitest'
import { expectSound, idOf, openWorkspace, outlineOf, type Workspace } from '../support/engine.ts'
import { memoryOf } from '../support/user-memory.ts'

const headOf = async ({ memory }: Workspace): Promise<number> =>
  (await memory.snapshots({ limit: 1 }))[0]?.id ?? 0

/** A file that two people edit. */
async function openShared() {
  const at = await openWorkspace({ 'plan.md': '# Plan\n\nRent is due.\n\nBuy milk.\n' })
  const [rent, milk] = [await idOf(at.memory, 'Rent is due.'), await idOf(at.memory, 'Buy milk.')]
  const edit = async (author: string, anchor: string, payload: string): Promise<number> => {
    await at.memory.by(author).write({ anchor, payload })
    return headOf(at)
  }
  return Object.assign(at, { rent, milk, edit })
}

test('a snapshot is undone without touching later work', async () => {
  await using at = await openShared()
  const bad = await at.edit('bot', at.rent, 'Rent is free.')
  await at.edit('ada', at.milk, 'Buy oat milk.')
  expect(await at.memory.revert({ snapshots: [bad] })).toMatchObject({
    status: 'done',
    affected: 1,
    target: null,
  })
  expect(await outlineOf(at.memory)).toEqual(['Plan', '  Rent is due.', '  Buy oat milk.'])
  expect(await at.memory.revert({ snapshots: [bad] })).toEqual({
    status: 'unchanged',
    erased: 0,
    target: null,
  })
  await expectSound(at.memory)
})

test('a node that somebody changed later is a conflict with both texts, and force takes the older one', async () => {
  await using at = await openShared()
  const bad = await at.edit('bot', at.rent, 'Rent is free.')
  const other = await at.edit('bot', at.milk, 'Buy beer.')
  const later = await at.edit('ada', at.rent, 'Rent is free in May.')
  const conflict = {
    ...{ kind: 'changed', nodeId: at.rent, file: 'plan.md', heading: 'Plan', changedIn: later },
    ...{ now: 'Rent is free in May.', wouldBe: 'Rent is due.' },
  }
  const before = await outlineOf(at.memory)
  const result = await at.memory.revert({ snapshots: [bad, other] })
  expect(result).toEqual({ status: 'conflict', conflicts: [conflict], total: 1, erased: 0, target: null })
  expect(await outlineOf(at.memory)).toEqual(before)
  expect(await headOf(at)).toBe(later)
  await at.memory.revert({ snapshots: [bad, other], force: true })
  expect(await outlineOf(at.memory)).toEqual(['Plan', '  Rent is due.', '  Buy milk.'])
})

test('several changes of one node by one author are undone together; those of others between them are a conflict', async () => {
  await using at = await openShared()
  const first = await at.edit('bot', at.rent, 'Rent is free.')
  await at.edit('bot', at.rent, 'Rent is very free.')
  await at.edit('bot', at.milk, 'Buy beer.')
  await at.edit('ada', at.milk, 'Buy tea.')
  await at.edit('bot', at.milk, 'Buy gin.')
  const since = first - 1
  expect(await at.memory.revert({ author: 'bot', since })).toMatchObject({
    ...{ status: 'conflict', total: 1 },
    conflicts: [{ nodeId: at.milk, now: 'Buy gin.', wouldBe: 'Buy milk.' }],
  })
  await at.edit('ada', at.milk, 'Buy milk.')
  expect(await at.memory.revert({ author: 'bot', since })).toMatchObject({ status: 'done', affected: 1 })
  expect(await outlineOf(at.memory)).toEqual(['Plan', '  Rent is due.', '  Buy milk.'])
  await expectSound(at.memory)
})

test('what an author did before the moment, and what others did, stays', async () => {
  await using at = await openShared()
  const { memory } = at
  await memory.by('bot').keys.remember({ key: 'old', value: 'kept' })
  const since = await headOf(at)
  await memory.by('bot').keys.remember({ key: 'old', value: 'poisoned' })
  await memory.by('bot').keys.remember({ key: 'new', value: 'poisoned' })
  await memory.by('ada').keys.remember({ key: 'mine', value: 'kept' })
  const files = memoryOf(memory, 'bot').files
  await files.append('/log', 'poisoned')
  await memory.by('bot').records.store({ type: 'core', content: 'poisoned' })
  await memory.by('bot').write({ payload: '# poisoned' })
  expect(await memory.revert({ author: 'bot', since })).toMatchObject({ status: 'done', documents: 4 })
  const { items } = await memory.keys.list({ limit: 10 })
  expect(items.map(({ key }) => key).sort()).toEqual(['mine', 'old'])
  expect(await memory.keys.recall('old')).toMatchObject({ text: 'kept' })
  expect((await memory.search({ query: 'poisoned', warm: false })).hits).toEqual([])
  expect((await memory.records.query({ limit: 10 })).memories).toEqual([])
  await expectSound(memory)
})

test('a note below a heading that would go is a conflict; with force it becomes a root', async () => {
  await using at = await openShared()
  const { id } = await at.memory.by('bot').write({ payload: '# Ideas' })
  const bad = await headOf(at)
  await at.memory.write({ parent: id, payload: 'A good one.' })
  expect(await at.memory.revert({ snapshots: [bad] })).toMatchObject({
    ...{ status: 'conflict', total: 1 },
    conflicts: [{ kind: 'below', now: 'A good one.' }],
  })
  await at.memory.revert({ snapshots: [bad], force: true })
  expect(await outlineOf(at.memory)).toEqual(['Plan', '  Rent is due.', '  Buy milk.', 'A good one.'])
  await expectSound(at.memory)
})

test('a key that somebody stored again later is a conflict of the whole key', async () => {
  await using at = await openWorkspace()
  await at.memory.by('bot').keys.remember({ key: 'k', value: 'bad' })
  await at.memory.by('ada').keys.remember({ key: 'k', value: 'good' })
  expect(await at.memory.revert({ snapshots: [1] })).toMatchObject({
    ...{ status: 'conflict', total: 1 },
    conflicts: [{ kind: 'changed', nodeId: null, file: 'key:k', now: 'good', wouldBe: null, changedIn: 2 }],
  })
  expect(await at.memory.keys.recall('k')).toMatchObject({ text: 'good' })
})

test('a rollback, a restore and a revert can be undone', async () => {
  await using at = await openShared()
  await at.edit('bot', at.rent, 'Rent is free.')
  const edited = await outlineOf(at.memory)
  const calls = [
    () => at.memory.rollback({ snapshotId: 1 }),
    () => at.memory.restore({ id: at.rent, snapshot: 1 }),
    () => at.memory.revert({ snapshots: [2] }),
  ]
  for (const call of calls) {
    await call()
    expect(await outlineOf(at.memory)).not.toEqual(edited)
    await at.memory.revert({ snapshots: [await headOf(at)] })
    expect(await outlineOf(at.memory)).toEqual(edited)
  }
  await expectSound(at.memory)
})

test.each([
  [{ snapshots: [] }, 'revert needs { snapshots }'],
  [{ snapshots: [0] }, 'revert needs { snapshots }'],
  [{ snapshots: [99] }, 'snapshot 99 not found'],
  [{ author: 'nobody', since: 0 }, 'no snapshot by "nobody" after snapshot 0'],
  [{ author: '', since: 0 }, 'author must be the name of an author'],
  [undefined, 'revert needs { snapshots }'],
])('%o is refused', async (input, message) => {
  await using at = await openWorkspace({ 'a.md': 'A.\n' })
  await expect(at.memory.revert(input as never)).rejects.toThrow(message)
})

test('restoring nothing is refused', async () => {
  await using at = await openWorkspace({ 'a.md': 'A.\n' })
  await expect(at.memory.restore(undefined as never)).rejects.toThrow('the node id must be a string')
})

test('a key that is removed again by a rollback leaves no tags behind', async () => {
  await using at = await openWorkspace({ 'a.md': 'A.\n' })
  await at.memory.keys.remember({ key: 'k', value: 'v', tags: ['t'] })
  await at.memory.revert({ snapshots: [2] })
  await at.memory.revert({ snapshots: [3] })
  await at.memory.rollback({ snapshotId: 3 })
  await expectSound(at.memory)
})

test('of pruned history, nothing is undone by its author: the work of others is folded into it', async () => {
  let now = Date.UTC(2026, 0, 10)
  await using at = await openWorkspace({}, { now: () => now })
  await at.memory.by('ada').write({ payload: 'A good one.' })
  await at.memory.by('bot').write({ payload: 'Nonsense.' })
  now += 86_400_000
  await at.memory.by('ada').write({ payload: 'Another good one.' })
  await at.memory.by('bot').write({ payload: 'More nonsense.' })
  await at.memory.pruneHistory({ keep: '12h', keepLast: 1 })
  await expect(at.memory.revert({ author: 'bot', since: 0 })).rejects.toThrow(
    'history up to snapshot 2 was pruned, and who changed what there is no longer known: give snapshot 2 or a later moment',
  )
  await expect(at.memory.revert({ snapshots: [1] })).rejects.toThrow('nearest kept moment is 2')
  await expect(at.memory.revert({ snapshots: [2] })).rejects.toThrow('snapshot 2 also has what others did')
  await at.memory.revert({ author: 'bot', since: 2 })
  expect((await outlineOf(at.memory)).sort()).toEqual(['A good one.', 'Another good one.', 'Nonsense.'])
})

test('a dry run changes nothing', async () => {
  await using at = await openShared()
  const bad = await at.edit('bot', at.rent, 'Rent is free.')
  const preview = await at.memory.revert({ snapshots: [bad], dryRun: true })
  expect(preview).toMatchObject({ status: 'dry-run', documents: [], total: 0, conflicts: [] })
  expect('changes' in preview && preview.changes).toMatchObject([
    { nodeId: at.rent, op: 'mod', old: { text: 'Rent is free.' }, new: { text: 'Rent is due.' } },
  ])
  expect(await headOf(at)).toBe(bad)
})
