import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { expectSound } from '../../../test/support/engine.ts'
import { openKeys, START } from '../../../test/support/keys.ts'
import { manualTimers } from '../../../test/support/timers.ts'
import type { Memory } from '../memory/open-memory.ts'
import { createExpiry, type ExpiryParts } from './expiry.ts'

const HOUR = 3_600_000

type Workspace = Awaited<ReturnType<typeof openKeys>>

async function rememberShort(at: Workspace, seconds: number, key = 'short'): Promise<void> {
  await at.text('remember', { key, value: `the ephemeral ${key}`, tags: ['t'], ttl_seconds: seconds })
}

test.each([
  ['MemorySearch', { query: 'ephemeral' }],
  ['MemoryTree', {}],
])('%s does not show an expired key that was not yet removed', async (tool, args) => {
  await using at = await openKeys()
  await rememberShort(at, 60)
  expect(await at.text(tool, args)).toContain('ephemeral')
  const before = await at.memory.snapshots()
  at.pass(60_000)
  expect(await at.text(tool, args)).not.toContain('file=key:short')
  expect(await at.memory.snapshots()).toEqual(before)
  await expectSound(at.memory)
})

test.each<[string, (memory: Memory) => Promise<unknown>, number]>([
  ['a tick', (memory) => memory.tick(), 1],
  ['a write', (memory) => memory.write({ payload: 'a note' }), 2],
])('%s removes everything that has expired with one snapshot', async (_, work, snapshots) => {
  await using at = await openKeys()
  for (const key of ['a', 'b', 'c']) await rememberShort(at, 60, key)
  await rememberShort(at, 61, 'later')
  const before = (await at.memory.snapshots()).length
  at.pass(60_000)
  await work(at.memory)
  const made = (await at.memory.snapshots()).slice(0, -before)
  expect(made).toHaveLength(snapshots)
  expect(made.at(-1)).toMatchObject({ operation: 'key', author: 'expiry' })
  expect(await at.text('MemorySearch', { query: 'ephemeral' })).toContain('file=key:later')
  await expectSound(at.memory)
})

test('the node of an expired key can neither be written to nor pinned', async () => {
  await using at = await openKeys()
  await rememberShort(at, 60)
  const [{ id } = { id: '' }] = (await at.memory.forest()).roots
  expect(id).not.toBe('')
  at.pass(60_000)
  await expect(at.memory.write({ anchor: id, payload: 'still here' })).rejects.toThrow(`${id} not found`)
  await expect(at.memory.pin({ id })).rejects.toThrow('not found')
  await expect(at.memory.fetch({ anchor: id })).rejects.toThrow('not found')
})

test('a ticker removes expired keys, even without a timer', async () => {
  await using at = await openKeys()
  await rememberShort(at, 60)
  at.pass(60_000)
  const timers = manualTimers()
  const ticker = at.memory.startTicker({ setTimer: timers.setTimer })
  await ticker.stop()
  expect((await at.memory.snapshots())[0]).toMatchObject({ author: 'expiry' })
})

test('history and exports show an expired key as stored, before and after it is removed', async () => {
  await using at = await openKeys()
  await rememberShort(at, 60)
  const before = await at.memory.delta({ since: 0 })
  at.pass(60_000)
  expect(await at.memory.delta({ since: 0 })).toEqual(before)
  let lines = ''
  await at.memory.export((piece) => {
    lines += piece
  })
  await using other = await openKeys({ now: () => START + 60_000 })
  await other.memory.import(Readable.from([Buffer.from(lines)]))
  expect(await other.text('MemoryTree', {})).not.toContain('ephemeral')
  expect((await other.memory.delta({ since: 0 })).items).toHaveLength(before.items.length)
  await expectSound(other.memory)
})

test('an expired key is removed immediately after a rollback to the time before', async () => {
  await using at = await openKeys()
  await rememberShort(at, 60)
  const [before] = await at.memory.snapshots()
  at.pass(60_000)
  expect(await at.text('MemorySearch', { query: 'ephemeral' })).not.toContain('file=key:short')
  // Now it is known that nothing will expire.
  await at.text('MemoryTree', {})
  await at.memory.rollback({ snapshotId: before?.id ?? 0 })
  expect(await at.text('MemorySearch', { query: 'ephemeral' })).not.toContain('file=key:short')
  expect(await at.text('MemoryTree', {})).not.toContain('file=key:short')
  await expectSound(at.memory)
})

test('a key that expires now or in the past is absent immediately', async () => {
  await using at = await openKeys()
  for (const seconds of [0, -5, -1e12]) {
    await rememberShort(at, seconds)
    await expect(at.text('recall', { key: 'short' })).rejects.toThrow('No memory found')
    expect(await at.json('list_memories', { tag: 't' })).toMatchObject({ count: 0 })
    await expect(at.text('forget', { key: 'short' })).rejects.toThrow('No memory found')
    await expect(at.text('memory_history', { key: 'short' })).rejects.toThrow('No memory found')
  }
  expect(await at.text('remember', { key: 'short', value: 'v', version: 'old' })).toContain('Stored')
})

test('storing an expired key creates a new one: its counts, its age and its history start over', async () => {
  await using at = await openKeys()
  await rememberShort(at, 60)
  await at.text('recall', { key: 'short' })
  await at.json('list_memories', { tag: 't' })
  at.pass(60_000)
  expect(
    await at.text('remember_if_absent', { key: 'short', value: 'new ephemeral', tags: ['t'] }),
  ).toContain('Stored')
  const [item] = (await at.json('search_memories', { query: 'ephemeral' })).items
  expect(item).toMatchObject({ recall_count: 0, created_at: '2026-06-14T21:59:12.123000+00:00' })
  expect(await at.json('memory_history', { key: 'short' })).toMatchObject({ count: 0 })
})

test('without a time to live a key stays, and writing it again takes its end away', async () => {
  await using at = await openKeys()
  await rememberShort(at, 60)
  await at.text('remember', { key: 'short', value: 'v' })
  at.pass(1000 * HOUR)
  expect(await at.text('recall', { key: 'short' })).toBe('v')
})

/** Sweeps as a running server does, by timers that the test fires. */
async function openSwept(over: Partial<ExpiryParts> = {}) {
  let now = 1_000_000
  let ends: (number | null)[] = []
  const timers = manualTimers()
  const problems: unknown[] = []
  const tx = {
    documents: async () =>
      ends.filter((end) => end !== null).map((expires_at) => ({ attributes: { expires_at } })),
  }
  const store = { read: (fn: (tx: never) => unknown) => fn(tx as never), write: () => undefined }
  const expiry = createExpiry({
    store: store as never,
    now: () => now,
    expire: async () => {
      const left = ends.filter((end) => end !== null && end > now)
      const removed = ends.length - left.length
      ends = left
      return removed
    },
    onError: (error) => problems.push(error),
    setTimer: timers.setTimer,
    ...over,
  })
  const settled = () => new Promise(setImmediate)
  return {
    ...{ expiry, timers, problems, settled },
    set: (...at: number[]) => {
      ends = at
    },
    pass: (ms: number) => {
      now += ms
    },
    left: () => ends,
  }
}

test('the timer waits until the next one expires, and then for the one after it', async () => {
  const at = await openSwept()
  at.set(1_005_000, 1_009_000)
  const { stop } = at.expiry.start()
  await at.settled()
  expect(at.timers.delays()).toEqual([5000])
  at.pass(5000)
  at.timers.fire()
  await at.settled()
  expect(at.left()).toEqual([1_009_000])
  expect(at.timers.delays()).toEqual([4000])
  await stop()
  expect(at.timers.delays()).toEqual([])
})

test('it looks again when something new may expire earlier, and waits for nothing while nothing does', async () => {
  const at = await openSwept()
  at.expiry.start()
  await at.settled()
  expect(at.timers.delays()).toEqual([])
  at.set(1_007_000)
  at.expiry.look()
  await at.settled()
  expect(at.timers.delays()).toEqual([7000])
  at.set(1_002_000, 1_007_000)
  at.expiry.look()
  await at.settled()
  expect(at.timers.delays()).toEqual([2000])
})

test('a far end is waited for in steps, and a clock that is set back makes it wait longer', async () => {
  const at = await openSwept()
  at.set(1_000_000 + 8e15)
  at.expiry.start()
  await at.settled()
  expect(at.timers.delays()).toEqual([30_000])
  at.set(1_020_000)
  at.pass(-10_000)
  at.timers.fire()
  await at.settled()
  expect(at.left()).toEqual([1_020_000])
  expect(at.timers.delays()).toEqual([30_000])
})

test('a key that cannot be removed is retried later, and reported once', async () => {
  const failure = new Error('busy')
  const at = await openSwept({ expire: () => Promise.reject(failure) })
  at.set(900_000)
  at.expiry.start()
  await at.settled()
  for (let time = 0; time < 3; time++) {
    at.timers.fire()
    await at.settled()
    expect(at.timers.delays()).toEqual([1000])
  }
  expect(at.problems).toEqual([failure])
})
