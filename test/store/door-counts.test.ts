import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { expectSound } from '../support/engine.ts'
import { openRecords, type RecordWorkspace } from '../support/records.ts'

/** Some of everything that is counted. */
async function fill(at: RecordWorkspace): Promise<void> {
  await at.store('one', { tags: ['a', 'b'], importance: 'high' })
  await at.store('two', { type: 'learning', tags: ['a'] })
  const { id } = await at.store('three', { type: 'task', tags: ['c'], category: 'in-progress' })
  await at.memory.records.delete({ id })
  await at.memory.keys.remember({ key: 'k', value: 'v', tags: ['a', 'nul \0'] })
  await at.memory.keys.remember({ key: 'short', value: 'v', tags: ['s'], ttlSeconds: 60 })
}

/** Everything that is told without looking at documents. */
async function told({ memory }: RecordWorkspace) {
  const { total_memories, by_type, archived_count, total_storage_kb, top_tags } = await memory.records.stats()
  const { total } = await memory.records.query({ archived: true, limit: 1 })
  const counts = { total_memories, by_type, archived_count, total_storage_kb, top_tags, total }
  return { ...counts, keys: await memory.keys.used(), tags: (await memory.keys.listTags()).tags }
}

test('what is told of records and keys holds after a rollback', async () => {
  await using at = await openRecords()
  await fill(at)
  const before = await told(at)
  const [{ id: snapshotId } = { id: 0 }] = await at.memory.snapshots({ limit: 1 })
  const { id } = await at.store('four, which is longer', { type: 'learning', tags: ['a', 'd'] })
  await at.memory.records.update({ id, archived: true, tags: ['e'] })
  await at.memory.keys.forget('k')
  await at.memory.keys.remember({ key: 'other', value: 'w', tags: ['o'] })
  expect(await told(at)).not.toEqual(before)
  await at.memory.rollback({ snapshotId })
  expect(await told(at)).toEqual(before)
  await expectSound(at.memory)
})

test('a key that is redacted still counts, its tags do not; one that has expired and was removed counts no more', async () => {
  await using at = await openRecords()
  await fill(at)
  await at.memory.keys.redact({ key: 'k' })
  expect(await told(at)).toMatchObject({ keys: 2, tags: ['s'] })
  at.pass(61_000)
  // Its time has come, and nobody has removed it yet.
  expect(await told(at)).toMatchObject({ keys: 2, tags: [] })
  await at.memory.tick()
  expect(await told(at)).toMatchObject({ keys: 1, tags: [] })
  await expectSound(at.memory)
})

test('an imported memory tells the same', async () => {
  await using at = await openRecords()
  await fill(at)
  const pieces: string[] = []
  await at.memory.export((text) => void pieces.push(text))
  await using other = await openRecords()
  await other.memory.import(Readable.from([Buffer.from(pieces.join(''))]))
  expect(await told(other)).toEqual(await told(at))
  await expectSound(other.memory)
})
