import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import type { Engine } from '../../src/core/store.ts'
import { openMemory } from '../../src/runtime/open-memory.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { hash } from './store-changes.ts'
import { temporaryFolder } from './store-files.ts'

/** A closed database with a few nodes and some history, in a folder of its own. */
export async function filledDatabase(): Promise<string> {
  const file = join(temporaryFolder(), 'memory.db')
  await using memory = await openMemory({ db: file, settings: { 'store.synchronous': 'normal' } })
  const { id } = await memory.write({ payload: '# Heading\n\nFirst paragraph.\n\n- an item\n- another item' })
  await memory.write({ payload: 'A second note.' })
  await memory.write({
    payload: 'A second note, edited.',
    anchor: (await memory.tree()).roots.at(-1)?.id ?? id,
  })
  return file
}

/** Changes a database behind the engine's back, without foreign keys. */
export function tamper(file: string, change: (db: Database) => void): void {
  const db = new Sqlite(file)
  try {
    db.pragma('foreign_keys = OFF')
    change(db)
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
}

export function openEngine(file: string): Promise<Engine> {
  return openSqlite({ file, hash })
}
