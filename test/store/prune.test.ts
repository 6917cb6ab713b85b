import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { type Memory, openMemory } from '../../src/runtime/memory/open-memory.ts'
import { start } from '../support/store-children.ts'
import { temporaryFolder } from '../support/store-files.ts'

const DAY = 86_400_000

/** A note that is written some times a day, on some days up to now. */
async function withHistory(file: string, { days = 5, each = 8, text = 'text' } = {}): Promise<number> {
  let now = Date.now() - days * DAY
  await using memory = await openMemory({
    db: file,
    now: () => now,
    settings: { 'store.synchronous': 'normal' },
  })
  const { id } = await memory.write({ payload: 'first' })
  for (let day = 0; day < days; day++) {
    for (let at = 0; at < each; at++) await memory.write({ anchor: id, payload: `${text} ${day} ${at}` })
    now += DAY
  }
  return (await memory.snapshots({ limit: 10_000 })).length
}

async function textsAt(memory: Memory, snapshots: readonly number[]): Promise<unknown[]> {
  const pairs = snapshots.map((id) => memory.diff({ from: 0, to: id, limit: 1000 }))
  return (await Promise.all(pairs)).map(({ items }) => items.map(({ nodeId, new: now }) => [nodeId, now]))
}

test('a process killed while it prunes leaves a whole history, and the next one goes on', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  const before = await withHistory(file)
  let kept: number[] = []
  let texts: unknown[] = []
  {
    await using memory = await openMemory({ db: file })
    const { snapshots } = await memory.pruneHistory({ keep: '0', keepLast: 1, dryRun: true })
    expect(snapshots).toBeGreaterThan(20)
    const byDay = new Map(
      (await memory.snapshots({ limit: 10_000 }))
        .toReversed()
        .map(({ id, createdAt }) => [Math.floor(createdAt / DAY), id]),
    )
    kept = [...byDay.values()]
    texts = await textsAt(memory, kept)
  }
  for (const lines of [1, 3, 2, 5]) {
    const pruner = start('prune-slowly', { file })
    for (let line = 0; line < lines; line++) expect(await pruner.next()).toBe('pruned')
    pruner.kill()
    expect(await pruner.ended()).toBe('')
    await using memory = await openMemory({ db: file })
    expect(await textsAt(memory, kept)).toEqual(texts)
    expect((await memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
  }
  await using memory = await openMemory({ db: file })
  expect((await memory.snapshots({ limit: 10_000 })).length).toBeLessThan(before)
  await memory.pruneHistory({ keep: '0', keepLast: 1 })
  expect((await memory.snapshots({ limit: 10_000 })).map(({ id }) => id).toReversed()).toEqual(kept)
  expect(await textsAt(memory, kept)).toEqual(texts)
})

const LONG = 'a long text that nobody needs any more '.repeat(75)

test('the file shrinks, while a reader goes on reading what it began with', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  const count = await withHistory(file, { each: 60, text: LONG })
  await using memory = await openMemory({ db: file })
  const reader = new Sqlite(file, { readonly: true })
  const rows = (): unknown => reader.prepare('SELECT count(*) AS count FROM snapshots').get()
  reader.exec('BEGIN')
  expect(rows()).toEqual({ count })
  const result = await memory.pruneHistory({ keep: '0', keepLast: 1 })
  expect(result.textBytes).toBeGreaterThan(100 * LONG.length)
  expect(rows()).toEqual({ count })
  reader.exec('COMMIT')
  reader.close()
  // What the reader held back is given back by the next call.
  const { bytesAfter } = await memory.pruneHistory({ keep: '0', keepLast: 1 })
  expect(bytesAfter).toBeLessThan(result.bytesBefore / 2)
  expect(statSync(file).size).toBeLessThan(result.bytesBefore / 2)
  expect((await memory.doctor()).status).toBe('pass')
})

test('a database of an older version is rewritten once, by a command only, and then shrinks in steps', async () => {
  const file = join(temporaryFolder(), 'memory.db')
  await withHistory(file, { each: 60, text: LONG })
  asOlder(file)
  const { size } = statSync(file)
  await using memory = await openMemory({ db: file })
  await memory.pruneHistory({ keep: '0', keepLast: 1 })
  expect(autoVacuum(file)).toBe(2)
  expect(statSync(file).size).toBeLessThan(size / 2)
})

function asOlder(file: string): void {
  const db = new Sqlite(file)
  db.pragma('auto_vacuum = NONE')
  db.exec('VACUUM')
  db.close()
  expect(autoVacuum(file)).toBe(0)
}

function autoVacuum(file: string): unknown {
  const db = new Sqlite(file, { readonly: true })
  try {
    return db.pragma('auto_vacuum', { simple: true })
  } finally {
    db.close()
  }
}
