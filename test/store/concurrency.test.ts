import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdLease } from '../../src/core/heat/leases.ts'
import { documentAt } from '../../src/core/write/documents.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { documentText, hash } from '../support/store-changes.ts'
import { start } from '../support/store-children.ts'
import { filledDatabase } from '../support/store-database.ts'
import { temporaryFolder } from '../support/store-files.ts'

const databaseFile = (): string => join(temporaryFolder(), 'memory.db')

test('four processes write to one file: nothing is lost, history is one line, readers see whole writes', async () => {
  const file = databaseFile()
  const times = 40
  const writers = ['a', 'b', 'c', 'd'].map((name) => start('increment', { file, name, count: times }))
  for (const writer of writers) expect(await writer.next()).toBe('ready')
  const readers = [start('read-until-told', { file }), start('read-until-told', { file })]
  for (const reader of readers) expect(await reader.next()).toBe('ready')
  for (const writer of writers) writer.tell()
  for (const writer of writers) expect(await writer.next()).toBe('done')
  for (const reader of readers) {
    reader.tell()
    expect(await reader.next()).toMatch(/^read \d+$/)
  }
  const errors = await Promise.all([...writers, ...readers].map((child) => child.ended()))
  expect(errors.join('')).toBe('')

  await using memory = await openMemory({ db: file })
  const snapshots = await memory.snapshots({ limit: 1000 })
  expect(snapshots).toHaveLength(4 * times)
  expect(snapshots.map((row) => row.parentId)).toEqual([...snapshots.slice(1).map((row) => row.id), null])
  expect((await memory.overview()).nodes.total).toBe(4 * times)
  expect((await memory.doctor()).status).toBe('pass')
  const { store, close } = await openSqlite({ file, hash })
  const counter = await store.read(async (tx) => {
    const row = await documentAt(tx, { kind: 'key', key: 'counter' }, 'row')
    return documentText(tx, row?.id ?? 0)
  })
  expect(counter).toBe(String(4 * times))
  await close()
})

test('several processes create one memory at once', async () => {
  for (let round = 0; round < 3; round++) {
    const file = databaseFile()
    const children = Array.from({ length: 4 }, () => start('create', { file }))
    for (const child of children) expect(await child.next()).toBe('ready')
    for (const child of children) child.tell()
    for (const child of children) expect(await child.next()).toBe('done')
    expect((await Promise.all(children.map((child) => child.ended()))).join('')).toBe('')
    await using memory = await openMemory({ db: file, create: false })
    expect(await memory.snapshots()).toHaveLength(4)
    expect((await memory.doctor()).status).toBe('pass')
  }
})

test('a write waits for another process that is writing', async () => {
  const file = databaseFile()
  await using memory = await openMemory({ db: file })
  await memory.write({ payload: 'before' })
  const holder = start('hold-lock', { file })
  expect(await holder.next()).toBe('holding')
  let isWritten = false
  const writing = memory.write({ payload: 'after' }).then(() => {
    isWritten = true
  })
  // The reads make sure that the write had time to be refused.
  for (let reads = 0; reads < 50; reads++) await memory.overview()
  expect(isWritten).toBe(false)
  holder.tell()
  await writing
  await holder.ended()
  expect((await memory.snapshots()).length).toBe(2)
})

test('a write gives up after lock_wait_ms and says so; the next one works', async () => {
  const file = databaseFile()
  await using memory = await openMemory({ db: file, settings: { 'store.lock_wait_ms': 100 } })
  await memory.write({ payload: 'before' })
  const holder = start('hold-lock', { file })
  expect(await holder.next()).toBe('holding')
  const refused = await memory.write({ payload: 'refused' }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ name: 'MemoryError', code: 'UNAVAILABLE' })
  expect(String(refused)).toMatch(/another process .* writing .* Try again/)
  expect(String(refused)).not.toMatch(/SQLITE|busy|locked/i)
  holder.tell()
  await holder.ended()
  await memory.write({ payload: 'accepted' })
  expect((await memory.snapshots()).length).toBe(2)
})

test('a write that does not wait gives up at once when another process writes; later ones wait again', async () => {
  const file = await filledDatabase()
  const engine = await openSqlite({ file, hash, lockWaitMs: 3_600_000 })
  onTestFinished(() => engine.close())
  const holder = start('hold-lock', { file })
  expect(await holder.next()).toBe('holding')
  const lease = { name: 'job', holder: 'one', ttlMs: 1000, now: 0 }
  const hasty = engine.store.write(holdLease, lease, { wait: false })
  await expect(hasty).rejects.toMatchObject({ name: 'MemoryError', code: 'UNAVAILABLE' })
  const patient = engine.store.write(holdLease, lease)
  holder.tell()
  await holder.ended()
  expect(await patient).toBe(true)
})

test('who must be gone soon does not wait for another writer; what waits for it fails and says so', async () => {
  const file = databaseFile()
  const memory = await openMemory({ db: file, settings: { 'store.lock_wait_ms': 3_600_000 } })
  await memory.write({ payload: 'before' })
  const holder = start('hold-lock', { file })
  expect(await holder.next()).toBe('holding')
  const writes = ['first', 'second'].map((payload) => memory.write({ payload }).catch((error) => error))
  await memory.overview()
  await memory.close({ lockWaitMs: 50 })
  for (const write of writes) expect(await write).toMatchObject({ name: 'MemoryError', code: 'UNAVAILABLE' })
  holder.tell()
  await holder.ended()
  await using again = await openMemory({ db: file })
  expect((await again.snapshots()).length).toBe(1)
})

test('a compile that changes nothing does not wait for another writer', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.md'), 'In a.\n')
  // Long after: the file has settled, so that there is something to note of it.
  const now = (): number => Date.now() + 3_600_000
  await using memory = await openMemory({ db: join(folder, 'memory.db'), now })
  await memory.compile(folder)
  writeFileSync(join(folder, 'a.md'), 'In a.\n')
  const holder = start('hold-lock', { file: memory.path })
  expect(await holder.next()).toBe('holding')
  expect(await memory.compile(folder)).toMatchObject({ total: 0, snapshot: null })
  holder.tell()
  await holder.ended()
})

test('a long write in one process does not hold up reads in another', async () => {
  const file = databaseFile()
  await using memory = await openMemory({ db: file })
  await memory.write({ payload: 'before' })
  const before = await memory.overview()
  const writer = start('write-slowly', { file })
  expect(await writer.next()).toBe('writing')
  expect((await memory.overview()).snapshots.head_id).toBe(before.snapshots.head_id)
  expect((await memory.forest()).roots).toHaveLength(1)
  expect((await memory.doctor()).status).toBe('pass')
  await using late = await openMemory({ db: file, create: false })
  expect((await late.forest()).roots).toHaveLength(1)
  writer.tell()
  expect(await writer.next()).toBe('done')
  expect((await memory.forest()).roots).toHaveLength(2001)
})

test('two handles of one process share a file too', async () => {
  const file = databaseFile()
  await using first = await openMemory({ db: file })
  await using second = await openMemory({ db: file })
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 ? first : second).write({ payload: `note ${at}` })),
  )
  expect((await first.overview()).nodes.total).toBe(20)
  expect(await first.snapshots()).toEqual(await second.snapshots())
})

test('two backups to one name: one is there, the other is refused', async () => {
  const file = await filledDatabase()
  const engines = [await openSqlite({ file, hash }), await openSqlite({ file, hash })]
  for (let round = 0; round < 10; round++) {
    const target = `${file}.copy-${round}`
    const outcomes = await Promise.allSettled(
      engines.map(({ maintenance }) => maintenance.files?.backup(target)),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(existsSync(target)).toBe(true)
  }
  for (const engine of engines) await engine.close()
})
