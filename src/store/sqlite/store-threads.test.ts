import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { hash } from '../../../test/support/store-changes.ts'
import { temporaryFolder } from '../../../test/support/store-files.ts'
import { manualTimers } from '../../../test/support/timers.ts'
import { holdLease } from '../../core/heat/leases.ts'
import { searchNodes } from '../../core/operations/queries.ts'
import type { Engine } from '../../core/port/store.ts'
import { fillMemory } from '../../core/transfer/import.ts'
import { openSqlite } from './engine.ts'
import { createStoreThreads, type StoreThreadsOptions } from './store-threads.ts'

/** Memories that share threads, and every thread that they start. */
async function openShared(names: string[], options: StoreThreadsOptions) {
  const workers: Worker[] = []
  const watch = (worker: Worker): void => void workers.push(worker)
  process.on('worker', watch)
  const threads = createStoreThreads(options)
  const folder = temporaryFolder()
  const fileOf = (name: string): string => join(folder, `${name}.db`)
  const memories = new Map<string, Engine>()
  for (const name of names) {
    const file = fileOf(name)
    memories.set(name, await openSqlite({ file, hash, create: true, synchronous: 'normal', threads }))
  }
  onTestFinished(async () => {
    await Promise.all([...memories.values()].map((engine) => engine.close()))
    await threads.close()
    process.off('worker', watch)
  })
  const memory = (name: string): Engine => memories.get(name) as Engine
  return { memory, workers, fileOf }
}

const lease = (name: string) => ({ name, holder: 'me', ttlMs: 1000, now: 0 })
const write = ({ store }: Engine, name = 'a') => store.write(holdLease, lease(name))
const search = ({ store }: Engine) => store.query(searchNodes, { query: 'nothing' })

/** An operation that is carried out until it is told to end. */
async function startLongJob({ store }: Engine) {
  const [asked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* source() {
    yield { items: [], lines: [] }
    asked.resolve()
    await ended.promise
    throw new Error('told to end')
  }
  const job = store.write(fillMemory, {}, { source: source() })
  job.catch(() => undefined)
  await asked.promise
  return {
    job,
    async end() {
      ended.resolve()
      await expect(job).rejects.toThrow('told to end')
    },
  }
}

test('memories that share one thread all make progress', async () => {
  const { memory, workers } = await openShared(['a', 'b', 'c'], { max: 1 })
  const calls = ['a', 'b', 'c'].flatMap((name) =>
    Array.from({ length: 5 }, (_, at) => [write(memory(name), `${at}`), search(memory(name))]).flat(),
  )
  await Promise.all(calls)
  expect(workers).toHaveLength(1)
})

test('a memory with many queries holds up no other', async () => {
  const { memory } = await openShared(['long', 'busy', 'other'], { max: 1 })
  const long = await startLongJob(memory('long'))
  const order: string[] = []
  const asked = Array.from({ length: 20 }, () => search(memory('busy')).then(() => order.push('busy')))
  asked.push(search(memory('other')).then(() => order.push('other')))
  await long.end()
  await Promise.all(asked)
  expect(order.indexOf('other')).toBe(1)
})

test('a long job of one memory does not hold up another while a thread is free', async () => {
  const { memory, workers } = await openShared(['long', 'other'], { max: 2 })
  const long = await startLongJob(memory('long'))
  expect(await write(memory('other'))).toBe(true)
  expect((await search(memory('other'))).hits).toEqual([])
  expect(workers).toHaveLength(2)
  await long.end()
})

test('queries of one memory run in several threads, but not in all where it has a limit', async () => {
  const { memory, workers } = await openShared(['a', 'b'], { max: 3, maxPerHost: 2 })
  await Promise.all(Array.from({ length: 9 }, () => search(memory('a'))))
  expect(workers).toHaveLength(2)
})

test('threads end when they have nothing to do, and are started again', async () => {
  const { setTimer, delays, fire } = manualTimers()
  const { memory, workers } = await openShared(['a'], { max: 2, idleMs: 30_000, setTimer })
  await write(memory('a'))
  expect(delays()).toEqual([30_000])
  const ended = once(workers[0] as Worker, 'exit')
  fire()
  await ended
  expect(await write(memory('a'), 'b')).toBe(true)
  expect(workers).toHaveLength(2)
})

test('closing a memory takes its journal into its database and leaves the others working', async () => {
  const { memory, workers, fileOf } = await openShared(['a', 'b'], { max: 1 })
  await Promise.all(['a', 'b'].map((name) => write(memory(name))))
  await Promise.all(['a', 'b'].map((name) => search(memory(name))))
  await memory('a').close()
  expect(existsSync(`${fileOf('a')}-wal`)).toBe(false)
  await expect(write(memory('a'))).rejects.toThrow('closed')
  await expect(search(memory('a'))).rejects.toThrow('closed')
  expect(existsSync(`${fileOf('b')}-wal`)).toBe(true)
  expect(await write(memory('b'), 'b')).toBe(true)
  expect(workers).toHaveLength(1)
})

test('a memory whose handles made room for others still works, and leaves no journal', async () => {
  const { memory, workers, fileOf } = await openShared(['a', 'b', 'c'], { max: 1, maxDatabases: 1 })
  for (const at of [1, 2])
    for (const name of ['a', 'b', 'c']) {
      expect(await write(memory(name), `${at}`)).toBe(true)
      expect((await search(memory(name))).hits).toEqual([])
    }
  for (const name of ['a', 'b', 'c']) {
    expect(existsSync(`${fileOf(name)}-wal`)).toBe(true)
    await memory(name).close()
    expect(existsSync(`${fileOf(name)}-wal`)).toBe(false)
  }
  expect(workers).toHaveLength(1)
})

test('rather than make room in a thread, another one is started where it may', async () => {
  const { memory, workers } = await openShared(['a', 'b', 'c'], { max: 2, maxDatabases: 1 })
  for (const name of ['a', 'b', 'c', 'a']) expect(await write(memory(name), name)).toBe(true)
  expect(workers).toHaveLength(2)
})

test('a thread that dies fails what it was carrying out and nothing else', async () => {
  const { memory, workers } = await openShared(['a', 'b'], { max: 1 })
  await Promise.all(['a', 'b'].map((name) => write(memory(name))))
  const { job } = await startLongJob(memory('a'))
  const waiting = [write(memory('b'), 'waiting'), search(memory('b')), write(memory('a'), 'behind')]
  void workers[0]?.terminate()
  await expect(job).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('writer has stopped'),
  })
  expect(await Promise.all(waiting)).toMatchObject([true, { hits: [] }, true])
  expect(workers).toHaveLength(2)
})

test('checks run in the shared threads', async () => {
  const { memory, workers } = await openShared(['a', 'b'], { max: 1 })
  const checks = await Promise.all(['a', 'b'].map((name) => memory(name).maintenance.check()))
  expect(checks.flat().filter(({ status }) => status !== 'pass')).toEqual([])
  expect(workers).toHaveLength(1)
})
