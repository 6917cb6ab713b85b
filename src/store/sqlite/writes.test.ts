import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdLock } from '../../../test/support/hold-writes.ts'
import { hash } from '../../../test/support/store-changes.ts'
import { temporaryFolder } from '../../../test/support/store-files.ts'
import { holdLease } from '../../core/heat/leases.ts'
import { OPERATIONS } from '../../core/operations/operations.ts'
import { findLease } from '../../core/rows/leases.ts'
import { fillMemory } from '../../core/transfer/import.ts'
import { openSqlite } from './engine.ts'

/** A memory whose operations run in the writer's thread. */
async function open({ lockWaitMs = 60_000 } = {}) {
  const file = join(temporaryFolder(), 'memory.db')
  const engine = await openSqlite({ file, hash, create: true, synchronous: 'normal', lockWaitMs })
  onTestFinished(() => engine.close())
  return { ...engine, file }
}

const lease = (name: string) => ({ name, holder: 'me', ttlMs: 1000, now: 0 })

test('every operation has a name of its own', () => {
  expect(new Set(OPERATIONS.map(({ name }) => name)).size).toBe(OPERATIONS.length)
})

test('an operation that is not listed is refused by name, and what cannot be sent fails alone', async () => {
  const { store } = await open()
  const unknown = { name: 'unknown', run: async () => 1 }
  await expect(store.write(unknown, {})).rejects.toThrow('unknown operation unknown')
  await expect(store.write(holdLease, (() => 1) as never)).rejects.toThrow('could not be cloned')
  expect(await store.write(holdLease, lease('one'))).toBe(true)
})

test('writes that wait behind a held lock each give up at their own deadline', async () => {
  const { store, file } = await open({ lockWaitMs: 300 })
  await store.write(holdLease, lease('first'))
  holdLock(file)
  const started = performance.now()
  const writes = Array.from({ length: 10 }, (_, at) => store.write(holdLease, lease(`late ${at}`)))
  const outcomes = await Promise.allSettled(writes)
  // Ten times one after the other would be three seconds.
  expect(performance.now() - started).toBeLessThan(2500)
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
})

test('a write that is aborted before it begins never begins', async () => {
  const { store, file } = await open()
  await store.write(holdLease, lease('first'))
  const letGo = holdLock(file)
  const [running, queued] = [new AbortController(), new AbortController()]
  const writes = [
    store.write(holdLease, lease('running'), { signal: running.signal }),
    store.write(holdLease, lease('queued'), { signal: queued.signal }),
    store.write(holdLease, lease('kept')),
  ]
  queued.abort(new Error('not wanted'))
  running.abort(new Error('not wanted either'))
  await expect(writes[1]).rejects.toThrow('not wanted')
  await expect(writes[0]).rejects.toThrow('not wanted either')
  letGo()
  expect(await writes[2]).toBe(true)
  const held = ['running', 'queued', 'kept'].map((name) => store.read((tx) => findLease(tx, name, 0)))
  expect((await Promise.all(held)).map((found) => found?.holder)).toEqual([undefined, undefined, 'me'])
  await expect(store.write(holdLease, lease('dead'), { signal: queued.signal })).rejects.toThrow('not wanted')
})

test('a source that fails fails the write with its own error, and nothing is stored', async () => {
  const { store } = await open()
  const broken = new RangeError('the source broke')
  async function* source() {
    yield { items: [], lines: [] }
    throw broken
  }
  await expect(store.write(fillMemory, {}, { source: source() })).rejects.toBe(broken)
  expect(await store.write(holdLease, lease('next'))).toBe(true)
})

test('a source is ended where the operation needs no more of it', async () => {
  const { store } = await open()
  let isEnded = false
  async function* source() {
    try {
      yield { items: [{ kind: 'nonsense' }], lines: [1] }
      for (;;) yield { items: [], lines: [] }
    } finally {
      isEnded = true
    }
  }
  await expect(store.write(fillMemory, {}, { source: source() })).rejects.toThrow()
  expect(await store.write(holdLease, lease('next'))).toBe(true)
  expect(isEnded).toBe(true)
})

test('writes that are on when the memory is closed are finished; later ones are refused', async () => {
  const { store, close } = await open()
  const writes = ['a', 'b', 'c'].map((name) => store.write(holdLease, lease(name)))
  await close()
  expect(await Promise.all(writes)).toEqual([true, true, true])
  await expect(store.write(holdLease, lease('late'))).rejects.toThrow('closed')
})
