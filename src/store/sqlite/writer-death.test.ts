import { once } from 'node:events'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { holdLock } from '../../../test/support/hold-writes.ts'
import { hash } from '../../../test/support/store-changes.ts'
import { temporaryFolder } from '../../../test/support/store-files.ts'
import { holdLease } from '../../core/heat/leases.ts'
import { fillMemory } from '../../core/transfer/import.ts'
import { openSqlite } from './engine.ts'

/** A memory, and every thread that it starts from now on. */
async function openWatched() {
  const threads: Worker[] = []
  const exits: Promise<unknown>[] = []
  const watch = (thread: Worker): void => {
    threads.push(thread)
    exits.push(once(thread, 'exit').catch(() => once(thread, 'exit')))
  }
  process.on('worker', watch)
  onTestFinished(() => void process.off('worker', watch))
  const file = join(temporaryFolder(), 'memory.db')
  const engine = await openSqlite({ file, hash, create: true, synchronous: 'normal', lockWaitMs: 2000 })
  return { engine, file, threads, allGone: () => Promise.all(exits) }
}

const SNAPSHOT = {
  ...{ id: 1, parentId: null, cursorHash: '0'.repeat(64), author: 'a', operation: 'write', message: '' },
  ...{ root: '', createdAt: 0 },
}

test('a write whose writer dies fails as a whole, and the next ones have a new writer', async () => {
  const { engine, threads, allGone } = await openWatched()
  const { store } = engine
  async function* dying() {
    yield { items: [{ kind: 'snapshot', row: SNAPSHOT }], lines: [1] }
    // The first part is stored by the time the next but one is asked for.
    yield { items: [], lines: [] }
    // What it cannot read ends a thread, as a mistake in it would.
    threads.at(-1)?.postMessage(null)
    yield { items: [], lines: [] }
  }
  await expect(store.write(fillMemory, {}, { source: dying() })).rejects.toThrow()
  for (const name of ['one', 'two', 'three'])
    expect(await store.write(holdLease, { name, holder: 'me', ttlMs: 1000, now: 0 })).toBe(true)
  expect(await store.read((tx) => tx.snapshots({ limit: 9 }))).toEqual([])
  await engine.close()
  // None is left over that would keep the process from its end.
  await allGone()
  expect(threads).toHaveLength(2)
})

test('when the writer dies its batch fails with a clear error, and the next write gets a new writer', async () => {
  const { engine, threads, file } = await openWatched()
  const { store } = engine
  const lease = (name: string) => ({ name, holder: 'me', ttlMs: 1000, now: 0 })
  await store.write(holdLease, lease('first'))
  const letGo = holdLock(file)
  const given = ['a', 'b', 'c'].map((name) => store.write(holdLease, lease(name)))
  // After the turn in which the batch is sent.
  await new Promise((resolve) => setImmediate(resolve))
  void threads.at(-1)?.terminate()
  for (const write of given)
    await expect(write).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('writer has stopped'),
    })
  letGo()
  expect(await store.write(holdLease, lease('next'))).toBe(true)
  await engine.close()
  expect(threads).toHaveLength(2)
})
