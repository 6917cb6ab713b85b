import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdLock } from '../../../test/support/hold-writes.ts'
import { ABOUT, addNodes, commit, hash, note, put } from '../../../test/support/store-changes.ts'
import { temporaryFolder } from '../../../test/support/store-files.ts'
import { writing } from '../../../test/support/writing.ts'
import { holdLease } from '../../core/heat/leases.ts'
import type { WriteTx } from '../../core/port/store.ts'
import { acquireLease, findLease } from '../../core/rows/leases.ts'
import { MAX_BATCH } from './call-state.ts'
import { openSqlite, type SqliteOptions } from './engine.ts'

async function open(options: Partial<SqliteOptions> = {}) {
  const file = join(temporaryFolder(), 'memory.db')
  const engine = await openSqlite({ file, hash, create: true, synchronous: 'normal', ...options })
  onTestFinished(() => engine.close())
  return { ...engine, file, commits: countCommits(file) }
}

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/** How many transactions were committed since the last call: the last page of each in the journal says how large the file is then. */
function countCommits(file: string): () => number {
  let known = 0
  return () => {
    const journal = existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`) : Buffer.alloc(0)
    let all = 0
    if (journal.length > HEADER_BYTES) {
      const frameBytes = FRAME_HEADER_BYTES + journal.readUInt32BE(8)
      for (let at = HEADER_BYTES; at + frameBytes <= journal.length; at += frameBytes)
        if (journal.readUInt32BE(at + 4) > 0) all++
    }
    const since = all - known
    known = all
    return since
  }
}

const lease = (name: string) => ({ name, holder: 'me', ttlMs: 1000, now: 0 })

test('writes that wait together share a transaction, and a batch has a bound', async () => {
  const { store, commits, file } = await open()
  await store.write(holdLease, lease('first'))
  commits()
  const letGo = holdLock(file)
  const few = Array.from({ length: 8 }, (_, at) => store.write(holdLease, lease(`few ${at}`)))
  letGo()
  expect(await Promise.all(few)).toEqual(few.map(() => true))
  // One, unless the machine stood still: a batch has a bound in time, too.
  expect(commits()).toBeLessThan(few.length)
  const many = Array.from({ length: MAX_BATCH + 1 }, (_, at) => store.write(holdLease, lease(`many ${at}`)))
  expect(await Promise.all(many)).toEqual(many.map(() => true))
  expect(commits()).toBeGreaterThanOrEqual(2)
})

test('where the transaction itself fails, each operation of the batch runs by itself', async () => {
  const { store, maintenance } = await open({ writer: 'here' })
  const addNote = (name: string) =>
    commit(store, async (tx, id) => {
      const document = await put(tx, id, note(name), name)
      await addNodes(tx, id, document.id, [{ id: name, text: name }])
    })
  // Found out at the end of a transaction only.
  const orphan = { ...ABOUT, id: 900, parentId: 800, cursorHash: '' }
  const outcomes = await Promise.allSettled([
    addNote('a'),
    writing(store, (tx) => tx.commit({ snapshots: [orphan] })),
    addNote('b'),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { message: expect.stringContaining('FOREIGN KEY') } })
  const snapshots = await store.read((tx) => tx.snapshots({ limit: 10 }))
  expect(snapshots.map(({ id, parentId }) => [id, parentId])).toEqual([
    [2, 1],
    [1, null],
  ])
  expect((await maintenance.check()).filter(({ status }) => status !== 'pass')).toEqual([])
})

test('an operation that has run can no longer be given up, though its batch is not committed', async () => {
  const { store } = await open({ writer: 'here' })
  const caller = new AbortController()
  const { signal } = caller
  const writes = [
    store.write(holdLease, lease('has run'), { signal }),
    writing(store, async () => caller.abort(new Error('too late'))),
  ]
  expect(await Promise.all(writes)).toEqual([true, undefined])
  expect(await store.read((tx) => findLease(tx, 'has run', 0))).toMatchObject({ holder: 'me' })
})

test('a write that does not wait fails alone where another process has the lock', async () => {
  const { store, file } = await open()
  await store.write(holdLease, lease('first'))
  const letGo = holdLock(file)
  const hasty = store.write(holdLease, lease('hasty'), { wait: false })
  const patient = store.write(holdLease, lease('patient'))
  await expect(hasty).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  letGo()
  expect(await patient).toBe(true)
})

test('input that cannot be sent to the writer fails alone', async () => {
  const { store } = await open()
  const outcomes = await Promise.allSettled([
    store.write(holdLease, lease('before')),
    store.write(holdLease, (() => 1) as never),
    store.write(holdLease, lease('after')),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('an operation with a source runs alone, in its order among the others', async () => {
  const { store, commits } = await open({ writer: 'here' })
  await store.write(holdLease, lease('first'))
  commits()
  const order: string[] = []
  const noting = (name: string) => async (tx: WriteTx) => {
    order.push(name)
    await acquireLease(tx, lease(name))
  }
  async function* source() {}
  await Promise.all([
    writing(store, noting('before')),
    writing(store, noting('alone'), { source: source() }),
    writing(store, noting('after')),
  ])
  expect(order).toEqual(['before', 'alone', 'after'])
  expect(commits()).toBe(3)
})
