import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { Engine } from '../../src/core/port/store.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { openHandle, trusting } from '../../src/store/sqlite/database/driver.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { hash } from './store-changes.ts'
import { temporaryFolder } from './store-files.ts'

let template: Promise<Buffer> | undefined

/** A closed database with a few nodes and some history, in a folder of its own. */
export async function filledDatabase(): Promise<string> {
  template ??= fill()
  const file = join(temporaryFolder(), 'memory.db')
  writeFileSync(file, await template, { mode: 0o600 })
  return file
}

/** Made once in a process: every test gets a copy. */
async function fill(): Promise<Buffer> {
  const file = join(temporaryFolder(), 'memory.db')
  const memory = await openMemory({ db: file, settings: { 'store.synchronous': 'normal' } })
  const { id } = await memory.write({ payload: '# Heading\n\nFirst paragraph.\n\n- an item\n- another item' })
  const second = await memory.write({ payload: 'A second note.' })
  await memory.write({ payload: 'A second note on [[heading; w=2]], and [[nothing]].', anchor: second.id })
  await memory.relate({ sourceId: id, targetId: second.id })
  await memory.write({ payload: 'Gone again.', parent: id })
  await memory.forget({ id: (await memory.forest({ rootId: id })).roots[0]?.children.at(-1)?.id ?? '' })
  await memory.close()
  return readFileSync(file)
}

/** Changes a database behind the engine's back, without foreign keys. */
export function tamper(file: string, change: (db: Database) => void): void {
  const db = openHandle(file)
  try {
    db.pragma('foreign_keys = OFF')
    trusting(db, () => change(db))
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
}

export function openEngine(file: string): Promise<Engine> {
  return openSqlite({ file, hash, writer: 'here' })
}
