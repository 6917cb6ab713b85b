import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hash, openSnapshot } from '../../../test/support/store-changes.ts'
import type { Store, WriteTx } from '../../core/port/store.ts'
import { openSqlite } from './engine.ts'

/** Two handles on one memory, as two processes have them; both have written before. */
async function openTwice(): Promise<[Store, Store]> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-transact-'))
  const options = { file: join(folder, 'memory.db'), hash, create: true }
  const engines = [await openSqlite(options), await openSqlite(options)] as const
  onTestFinished(async () => {
    for (const engine of engines) await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const [{ store: one }, { store: other }] = engines
  await count(other)
  await count(one)
  return [one, other]
}

const COUNTER = { kind: 'key', key: 'counter' } as const
const REPEATABLE = { repeatable: true }

async function counted(tx: Pick<WriteTx, 'findDoorDocument'>): Promise<number> {
  return Number((await tx.findDoorDocument(COUNTER))?.attributes.n ?? 0)
}

/** Reads, decides, and only then writes: what is lost if somebody comes in between. */
async function countOn(tx: WriteTx): Promise<number> {
  const n = (await counted(tx)) + 1
  const put = { address: COUNTER, text: '', digest: '00'.repeat(16), attributes: { n } }
  await tx.putDocuments([put], await openSnapshot(tx))
  return n
}

function count(store: Store): Promise<number> {
  return store.write(countOn, REPEATABLE)
}

/** A write that has done `work` and waits until it is let go. */
async function hold(store: Store, work: (tx: WriteTx) => Promise<unknown>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const write = store.write(async (tx) => {
    await work(tx)
    done.resolve()
    await held.promise
  })
  await done.promise
  return () => {
    held.resolve()
    return write
  }
}

test('what a repeatable write asks is answered without the writer, until it writes', async () => {
  const [store, other] = await openTwice()
  await count(store)
  const asked = Promise.withResolvers<number>()
  const letGo = await hold(other, counted)
  const write = store.write(async (tx) => {
    asked.resolve(await counted(tx))
    return countOn(tx)
  }, REPEATABLE)
  // The other has the lock: an answer can only have come from a reader.
  expect(await asked.promise).toBe(3)
  await letGo()
  expect(await write).toBe(4)
})

test('a repeatable write runs again where somebody else wrote in between', async () => {
  const [store, other] = await openTwice()
  await count(store)
  const seen: number[] = []
  const asked = Promise.withResolvers<void>()
  const letGo = await hold(other, countOn)
  const write = store.write(async (tx) => {
    seen.push(await counted(tx))
    asked.resolve()
    return countOn(tx)
  }, REPEATABLE)
  await asked.promise
  await letGo()
  expect(await write).toBe(5)
  expect(seen).toEqual([3, 4])
  expect(await store.read(counted)).toBe(5)
})

test('what a repeatable write makes of an outdated answer is not told', async () => {
  const [store, other] = await openTwice()
  const asked = Promise.withResolvers<void>()
  const letGo = await hold(other, countOn)
  const write = store.write(async (tx) => {
    const n = await counted(tx)
    asked.resolve()
    if (n < 3) throw new Error('too few')
    return n
  }, REPEATABLE)
  await asked.promise
  await letGo()
  expect(await write).toBe(3)
})

test('it runs once where nobody wrote, and sees its own changes', async () => {
  const [store] = await openTwice()
  const seen: number[] = []
  await store.write(async (tx) => {
    seen.push(await counted(tx), await countOn(tx), await counted(tx))
  }, REPEATABLE)
  expect(seen).toEqual([2, 3, 3])
})

test('however much it asks, it gets the same answers', async () => {
  const [store] = await openTwice()
  const answers = await store.write(async (tx) => {
    const all: number[] = []
    for (let at = 0; at < 50; at++) all.push(await counted(tx))
    return all
  }, REPEATABLE)
  expect(new Set(answers)).toEqual(new Set([2]))
})

test('a question that fails, and that nobody waited for, fails the transaction', async () => {
  const [store] = await openTwice()
  const write = store.write(async (tx) => {
    void tx.findDoorDocument(undefined as never)
    return countOn(tx)
  }, REPEATABLE)
  await expect(write).rejects.toThrow(TypeError)
  expect(await store.read(counted)).toBe(2)
  expect(await count(store)).toBe(3)
})

test('what cannot be sent fails its transaction, and the next one is none the wiser', async () => {
  const [store] = await openTwice()
  const write = store.write((tx) => tx.setHome((() => 'nowhere') as never), REPEATABLE)
  await expect(write).rejects.toThrow('could not be cloned')
  expect(await count(store)).toBe(3)
})

test('what is sent ahead is answered, also where nothing follows', async () => {
  const [store] = await openTwice()
  const n = await store.write(async (tx) => {
    const counting = countOn(tx)
    tx.send()
    tx.send()
    return counting
  }, REPEATABLE)
  expect(n).toBe(3)
  const failed = store.write(async (tx) => {
    void tx.setHome('/somewhere')
    tx.send()
    throw new Error('on purpose')
  })
  await expect(failed).rejects.toThrow('on purpose')
  expect(await store.read((tx) => tx.home())).toBeNull()
  expect(await count(store)).toBe(4)
})

test('two who write at once lose nothing', async () => {
  const [one, other] = await openTwice()
  const each = Array.from({ length: 40 }, () => [count(one), count(other)]).flat()
  const numbers = await Promise.all(each)
  expect(new Set(numbers).size).toBe(80)
  expect(await one.read(counted)).toBe(82)
})

test('a write that is on when the memory is closed is finished', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-transact-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const engine = await openSqlite({ file: join(folder, 'memory.db'), hash, create: true })
  const writes = [count(engine.store), count(engine.store), count(engine.store)]
  await engine.close()
  expect(await Promise.all(writes)).toEqual([1, 2, 3])
})
