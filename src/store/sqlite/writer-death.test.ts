import { once } from 'node:events'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { hash } from '../../../test/support/store-changes.ts'
import { temporaryFolder } from '../../../test/support/store-files.ts'
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
  return { engine, threads, allGone: () => Promise.all(exits) }
}

/** What it cannot read ends a thread, as a mistake in it would. */
const kill = (thread: Worker | undefined): void => thread?.postMessage(null)

test('a write whose writer dies fails as a whole, and the next ones have a new writer', async () => {
  const { engine, threads, allGone } = await openWatched()
  const { store } = engine
  const write = store.write(async (tx) => {
    await tx.setHome('/lost')
    kill(threads.at(-1))
    await tx.setHome('/lost too')
  })
  await expect(write).rejects.toThrow()
  for (const home of ['/one', '/two', '/three']) await store.write((tx) => tx.setHome(home))
  expect(await store.read((tx) => tx.home())).toBe('/three')
  await engine.close()
  // None is left over that would keep the process from its end.
  await allGone()
  expect(threads).toHaveLength(2)
})

test('a write whose writer dies just before its end says that nothing of it is stored', async () => {
  const { engine, threads } = await openWatched()
  onTestFinished(() => engine.close())
  const write = engine.store.write(async (tx) => {
    await tx.setHome('/lost')
    const [thread] = threads
    kill(thread)
    await once(thread as Worker, 'exit').catch(() => once(thread as Worker, 'exit'))
  })
  await expect(write).rejects.toThrow('nothing of it was stored')
  expect(await engine.store.read((tx) => tx.home())).toBeNull()
})
