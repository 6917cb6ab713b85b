import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'

/** Another process, as SQLite sees it, that has the lock of a database until the answer is called. */
export function holdLock(file: string): () => void {
  const db = new Sqlite(file)
  onTestFinished(() => void db.close())
  db.exec('BEGIN IMMEDIATE')
  return () => void db.exec('ROLLBACK')
}

/** Nobody else writes to the memory of a folder until the answer is called, or the test is over. */
export function holdWrites(folder: string): () => void {
  const db = new Sqlite(join(folder, '.remindb', 'memory.db'))
  onTestFinished(() => void db.close())
  db.exec('BEGIN IMMEDIATE')
  return () => {
    db.exec('ROLLBACK')
    // Whoever closes last tidies up: that is to be the server.
    db.close()
  }
}
