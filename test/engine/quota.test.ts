import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { isMemoryError } from '../../src/core/errors.ts'
import { expectSound, openIn, temporaryFolder } from '../support/engine.ts'
import { openRecords } from '../support/records.ts'
import { memoryOf } from '../support/user-memory.ts'

async function messageOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'stored'
  } catch (error) {
    return isMemoryError(error) ? `${error.code}: ${error.message}` : String(error)
  }
}

const memories = (used: number, limit: number): string =>
  `LIMIT_EXCEEDED: Memory quota reached (${used}/${limit}). Delete some memories to store new ones.`
const storage = (projected: number, limit: number): string =>
  `LIMIT_EXCEEDED: Storage quota reached (${projected}/${limit} bytes). Delete some memories to free space.`

test('every door counts memories, and none stores one too many', async () => {
  await using at = await openRecords()
  const ada = memoryOf(at.memory, 'ada', { memories: 4 })
  await ada.keys.remember({ key: 'k', value: 'v' })
  await ada.records.store({ type: 'core', content: 'c' })
  await ada.write({ payload: '# Note\n\nwith two nodes' })
  await ada.files.append('/deep/in/folders', 'text')
  expect(await ada.keys.quota()).toEqual({ used: 4, limit: 4, remaining: 0 })
  const refused = [
    ada.keys.remember({ key: 'k2', value: 'v' }),
    ada.keys.rememberIfAbsent({ key: 'k2', value: 'v' }),
    ada.keys.rememberBlob({ key: 'k2', data: 'AAAA', contentType: 'image/png' }),
    ada.records.store({ type: 'core', content: 'c2' }),
    ada.write({ payload: 'another note' }),
    ada.files.append('/other', 'text'),
  ]
  for (const call of refused) expect(await messageOf(call)).toBe(memories(4, 4))
  // What is there can be changed.
  await ada.keys.remember({ key: 'k', value: 'a longer value' })
  await ada.files.append('/deep/in/folders', 'more text')
  // Nobody else is limited by that.
  await memoryOf(at.memory, 'bob', { memories: 1 }).keys.remember({ key: 'of bob', value: 'v' })
  await at.memory.keys.remember({ key: 'of the operator', value: 'v' })
  expect(await ada.keys.quota()).toMatchObject({ used: 4 })
  await expectSound(at.memory)
})

test('bytes are limited in UTF-8, for what grows only', async () => {
  await using at = await openRecords()
  const ada = memoryOf(at.memory, 'ada', { bytes: 20 })
  await ada.keys.remember({ key: 'k', value: 'é'.repeat(10) })
  expect(await messageOf(ada.keys.remember({ key: 'k', value: `${'é'.repeat(10)}!` }))).toBe(storage(21, 20))
  expect(await messageOf(ada.keys.remember({ key: 'other', value: '12345' }))).toBe(storage(25, 20))
  await ada.keys.remember({ key: 'k', value: 'twenty bytes exactly' })
  // A limit that was lowered meanwhile does not keep anybody from storing less.
  const less = memoryOf(at.memory, 'ada', { bytes: 5, memories: 0 })
  await less.keys.remember({ key: 'k', value: 'nineteen bytes, so.' })
  expect(await messageOf(less.keys.remember({ key: 'k', value: 'twenty bytes exactly' }))).toBe(
    storage(20, 5),
  )
  await less.keys.forget('k')
  expect(await ada.keys.quota()).toEqual({ used: 0, limit: null, remaining: null })
  await expectSound(at.memory)
})

test('room is free again after forget and expiry, and not after redact until the key is forgotten', async () => {
  await using at = await openRecords()
  const ada = memoryOf(at.memory, 'ada', { memories: 1, bytes: 10 })
  await ada.keys.remember({ key: 'a', value: '0123456789' })
  await ada.keys.forget('a')
  await ada.keys.remember({ key: 'b', value: '0123456789', ttlSeconds: 60 })
  at.pass(61_000)
  await at.memory.tick()
  expect(await ada.keys.quota()).toEqual({ used: 0, limit: 1, remaining: 1 })
  await ada.keys.remember({ key: 'c', value: '0123456789' })
  await ada.keys.redact({ key: 'c' })
  expect(await messageOf(ada.keys.remember({ key: 'd', value: '' }))).toBe(memories(1, 1))
  await ada.keys.forget('c')
  await ada.keys.remember({ key: 'd', value: '0123456789' })
  const { id } = (await at.memory.search({ query: '0123456789', warm: false })).hits[0] ?? { id: '' }
  await ada.forget({ id, mode: 'cascade' })
  await ada.records.store({ type: 'core', content: '0123456789' })
  await expectSound(at.memory)
})

test('a value that has expired and is still there makes room for its successor', async () => {
  await using at = await openRecords()
  const ada = memoryOf(at.memory, 'ada', { memories: 1, bytes: 3 })
  await ada.keys.remember({ key: 'a', value: 'one', ttlSeconds: 60 })
  at.pass(61_000)
  const bob = memoryOf(at.memory, 'bob', { memories: 1, bytes: 3 })
  await bob.keys.remember({ key: 'a', value: 'two' })
  expect(await ada.keys.quota()).toMatchObject({ used: 0 })
  expect(await bob.keys.quota()).toMatchObject({ used: 1 })
  await expectSound(at.memory)
})

test('the creator keeps what others change, until it is removed and created again', async () => {
  await using at = await openRecords()
  const ada = memoryOf(at.memory, 'ada', { memories: 1 })
  const bob = memoryOf(at.memory, 'bob', { memories: 1, bytes: 1 })
  await ada.keys.remember({ key: 'a', value: 'one' })
  await bob.keys.remember({ key: 'a', value: 'longer than what bob may store' })
  expect(await bob.keys.quota()).toMatchObject({ used: 0 })
  await ada.keys.forget('a')
  await bob.keys.remember({ key: 'a', value: '1' })
  expect(await ada.keys.quota()).toMatchObject({ used: 0 })
  expect(await bob.keys.quota()).toMatchObject({ used: 1, remaining: 0 })
  await expectSound(at.memory)
})

test('what was there before there were users counts for nobody, whoever changes it', async () => {
  await using at = await openRecords()
  await at.memory.keys.remember({ key: 'a', value: 'one' })
  const ada = memoryOf(at.memory, 'ada', { memories: 0, bytes: 0 })
  await ada.keys.remember({ key: 'a', value: 'another value' })
  expect(await ada.keys.quota()).toEqual({ used: 0, limit: 0, remaining: 0 })
  await expectSound(at.memory)
})

test('a rollback and a restore are counted, and refused beyond the quota of who asks', async () => {
  await using at = await openRecords()
  const ada = memoryOf(at.memory, 'ada', { memories: 2, bytes: 20 })
  await ada.keys.remember({ key: 'a', value: 'long enough' })
  const { id: note } = await ada.write({ payload: 'a note' })
  const [{ id: snapshotId } = { id: 0 }] = await at.memory.snapshots({ limit: 1 })
  await ada.keys.remember({ key: 'a', value: 'short' })
  await ada.forget({ id: note })
  expect(await ada.keys.quota()).toMatchObject({ used: 1 })
  await ada.keys.remember({ key: 'b', value: 'more bytes' })
  const [{ version_timestamp: versionTimestamp } = { version_timestamp: '' }] = (await ada.keys.history('a'))
    .versions
  expect(await messageOf(ada.keys.restore({ key: 'a', versionTimestamp }))).toBe(storage(21, 20))
  expect(await messageOf(memoryOf(at.memory, 'ada', { bytes: 15 }).rollback({ snapshotId }))).toBe(
    storage(17, 15),
  )
  await ada.rollback({ snapshotId })
  expect(await ada.keys.quota()).toMatchObject({ used: 2 })
  expect(await messageOf(ada.write({ payload: 'b' }))).toBe(memories(2, 2))
  await expectSound(at.memory)
})

test('a note is counted by its nodes, through every edit', async () => {
  await using at = await openRecords()
  const ada = memoryOf(at.memory, 'ada', { memories: 2, bytes: 30 })
  const { id } = await ada.write({ payload: '0123456789' })
  await ada.write({ payload: '01234567890123456789', anchor: id })
  await ada.write({ payload: 'under: 10.', parent: id })
  expect(await messageOf(ada.write({ payload: '012345678901234567890', anchor: id }))).toBe(storage(31, 30))
  await ada.summarize({ id, summary: 'short' })
  expect(await messageOf(ada.write({ payload: 'third' }))).toBe(memories(2, 2))
  await ada.forget({ id, mode: 'cascade' })
  expect(await ada.keys.quota()).toMatchObject({ used: 0 })
  await ada.write({ payload: '012345678901234567890123456789' })
  await expectSound(at.memory)
})

test('doctor finds wrong sizes and counts, and repairs them', async () => {
  await using at = await openRecords()
  const ada = memoryOf(at.memory, 'ada')
  await ada.write({ payload: '# Note\n\nwith two nodes' })
  await ada.keys.remember({ key: 'k', value: 'v' })
  const db = new Sqlite(at.memory.path)
  db.exec(`UPDATE documents SET text_bytes = 99 WHERE kind = 'note'; DELETE FROM user_counts;
    INSERT INTO user_counts SELECT owner_id, 'eve', 3, 3 FROM documents LIMIT 1`)
  const { checks } = await at.memory.doctor()
  const failed = checks.filter(({ status }) => status === 'fail')
  expect(failed).toMatchObject([{ name: 'documents', detail: expect.stringContaining('3 tags') }])
  await at.memory.heal()
  expect(db.prepare('SELECT user_id, count, bytes FROM user_counts').all()).toEqual([
    { user_id: 'ada', count: 2, bytes: 'Notewith two nodesv'.length },
  ])
  db.close()
  await expectSound(at.memory)
})

test('racing writers never exceed a limit, over several handles', async () => {
  const folder = temporaryFolder()
  await using one = await openIn(folder)
  await using other = await openIn(folder)
  const calls = Array.from({ length: 40 }, (_, at) => {
    const ada = memoryOf(at % 2 ? one : other, 'ada', { memories: 10, bytes: 80 })
    return at % 3
      ? ada.keys.remember({ key: `k${at}`, value: '0123456' })
      : ada.records.store({ type: 'learning', content: '0123456' })
  })
  const outcomes = await Promise.all(calls.map(messageOf))
  expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(10)
  expect(new Set(outcomes)).toEqual(new Set(['stored', memories(10, 10)]))
  expect(await memoryOf(one, 'ada').keys.quota()).toMatchObject({ used: 10 })
  const growing = Array.from({ length: 20 }, (_, at) => {
    const ada = memoryOf(at % 2 ? one : other, 'ada', { bytes: 80 })
    return messageOf(ada.keys.remember({ key: `g${at}`, value: '01' }))
  })
  const grown = await Promise.all(growing)
  expect(grown.filter((outcome) => outcome === 'stored')).toHaveLength(5)
  expect(new Set(grown)).toEqual(new Set(['stored', storage(82, 80)]))
  await expectSound(one)
})
