import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { expectSound, openIn, openWorkspace, temporaryFolder } from '../support/engine.ts'

const ADA = 'ada/k1'
const BOB = 'bob/k2'

const seenBy = (memory: Memory, owner: string) => memory.observer.for({ owner })
const indexOf = async (memory: Memory, owner: string) => (await seenBy(memory, owner).keyIndex()).keys

/** Whose key it is: every client is asked whether it sees it. */
async function ownersOf(memory: Memory, key: string): Promise<string[]> {
  const seen = await Promise.all(
    [ADA, BOB].map(async (owner) => ((await seenBy(memory, owner).findKey(key)) ? [owner] : [])),
  )
  return seen.flat()
}

test('a client sees its own keys, and those of others are not there', async () => {
  await using at = await openWorkspace()
  const [ada, bob] = [at.memory.by(ADA).keys, at.memory.by(BOB).keys]
  await ada.remember({ key: 'plan', value: 'hers' })
  await bob.remember({ key: 'list', value: 'his' })
  await bob.remember({ key: 'secret', value: 'his' })
  await bob.redact({ key: 'secret' })
  expect([await indexOf(at.memory, ADA), await indexOf(at.memory, BOB)]).toEqual([['plan'], ['list']])
  const observer = seenBy(at.memory, ADA)
  expect(await observer.findKey('plan')).toMatchObject({ kind: 'text', text: 'hers' })
  for (const key of ['list', 'secret', 'never stored']) {
    expect(await observer.findKey(key)).toBeUndefined()
    expect(await observer.keyVersion(key)).toBe('')
  }
  expect(await seenBy(at.memory, BOB).findKey('secret')).toMatchObject({ kind: 'redacted' })
  // Tools see the whole memory, and so does an observer of nobody in particular.
  expect(await ada.recall('list')).toMatchObject({ text: 'his' })
  expect((await ada.list()).items).toHaveLength(2)
  expect((await at.memory.observer.keyIndex()).keys).toEqual(['list', 'plan'])
  await expectSound(at.memory)
})

test('a setting shows every client all keys, as soon as it says so', async () => {
  await using at = await openWorkspace({}, { settings: { 'keys.resources': 'space' } })
  await at.memory.by(BOB).keys.remember({ key: 'list', value: 'his' })
  expect(await indexOf(at.memory, ADA)).toEqual(['list'])
  expect(await seenBy(at.memory, ADA).findKey('list')).toMatchObject({ text: 'his' })
})

test('the cap counts the keys of the client alone', async () => {
  await using at = await openWorkspace()
  for (let n = 0; n <= 500; n++) await at.memory.by(BOB).keys.remember({ key: `b${n}`, value: '' })
  for (const key of ['a', 'b', 'c']) await at.memory.by(ADA).keys.remember({ key, value: '' })
  expect(await seenBy(at.memory, ADA).keyIndex()).toEqual({ keys: ['a', 'b', 'c'], isCut: false })
  const his = await seenBy(at.memory, BOB).keyIndex()
  expect([his.keys.length, his.isCut]).toEqual([500, true])
})

test('whoever changes a key, it stays with who made it', async () => {
  await using at = await openWorkspace()
  const bob = at.memory.by(BOB)
  await at.memory.by(ADA).keys.remember({ key: 'k', value: 'one' })
  await bob.keys.remember({ key: 'k', value: 'two', tags: ['client', BOB] })
  const { versions } = await bob.keys.history('k')
  await bob.keys.restore({ key: 'k', versionTimestamp: versions[0]?.version_timestamp ?? '' })
  const { hits } = await at.memory.search({ query: 'one', warm: false })
  await bob.write({ anchor: hits[0]?.id ?? '', payload: 'edited' })
  expect(await ownersOf(at.memory, 'k')).toEqual([ADA])
  expect(await seenBy(at.memory, ADA).findKey('k')).toMatchObject({ text: 'edited' })
  // What a client says of itself is no argument of any call.
  await expect(bob.keys.remember({ key: 'x', value: 'v', client: ADA } as never)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
  await bob.keys.redact({ key: 'k' })
  expect(await ownersOf(at.memory, 'k')).toEqual([ADA])
})

test('a key that was forgotten, or that expired, belongs to who makes it again', async () => {
  let now = 1_700_000_000_000
  await using at = await openWorkspace({}, { now: () => now })
  const [ada, bob] = [at.memory.by(ADA).keys, at.memory.by(BOB).keys]
  await ada.remember({ key: 'forgotten', value: 'hers' })
  await ada.remember({ key: 'expired', value: 'hers', ttlSeconds: 1 })
  await ada.remember({ key: 'redacted', value: 'hers' })
  const [before] = await at.memory.snapshots({ limit: 1 })
  await ada.redact({ key: 'redacted' })
  now += 2000
  for (const key of ['forgotten', 'redacted']) await bob.forget(key)
  for (const key of ['forgotten', 'expired', 'redacted']) {
    expect(await ownersOf(at.memory, key)).toEqual([])
    await bob.remember({ key, value: 'his' })
    expect(await ownersOf(at.memory, key)).toEqual([BOB])
  }
  // A rollback brings back what was there, and whose it was.
  await at.memory.by(BOB).rollback({ snapshotId: before?.id ?? 0 })
  expect(await ownersOf(at.memory, 'forgotten')).toEqual([ADA])
  expect(await seenBy(at.memory, ADA).findKey('forgotten')).toMatchObject({ text: 'hers' })
})

test('what is erased or imported stays with its client', async () => {
  await using at = await openWorkspace()
  for (const key of ['kept', 'erased']) await at.memory.by(ADA).keys.remember({ key, value: 'hers' })
  await at.memory.erase({ kind: 'key', key: 'erased' })
  const pieces: string[] = []
  await at.memory.export((piece) => void pieces.push(piece))
  await using copy = await openIn(temporaryFolder())
  await copy.import(Readable.from([Buffer.from(pieces.join(''))]))
  for (const memory of [at.memory, copy]) {
    expect([await indexOf(memory, ADA), await indexOf(memory, BOB)]).toEqual([['kept'], []])
    expect(await ownersOf(memory, 'erased')).toEqual([ADA])
    expect(await seenBy(memory, ADA).findKey('erased')).toMatchObject({ kind: 'redacted' })
  }
})
