import type { Database } from 'better-sqlite3'
import { closing, openHandle } from '../database/driver.ts'
import { isBusy, isCorrupt, isFull } from '../database/errors.ts'
import { isIndexError } from './health-file.ts'
import { rebuildIndex } from './health-index.ts'

/**
 * Overwrites what removed text left behind, if some was removed. Zeroing on delete is not enough: balancing a tree
 * leaves copies of rows in the unused part of a page, and the search index only marks words as deleted. So both are
 * rewritten; this costs the size of the database. `false`: retry later.
 */
export function scrub(db: Database): boolean {
  const last = lastRequest(db)
  if (!truncateJournal(db)) return false
  if (last === null) return true
  try {
    rewriteIndex(db)
    rewriteFile(db)
    if (!truncateJournal(db)) return false
    // Up to `last` only: what another process removed since then may still be there.
    db.prepare('DELETE FROM scrubs WHERE id <= ?').run(last)
  } catch (error) {
    if (isBusy(error) || isFull(error)) return false
    throw error
  }
  truncateJournal(db)
  return true
}

/**
 * Removes erased words from the search index, which keeps the words of deleted rows, so that a copy does not contain them. Readers
 * do not block it. `false`: nothing is pending.
 */
export function dropErasedWords(db: Database): boolean {
  if (!isScrubPending(db)) return false
  try {
    rewriteIndex(db)
  } catch (error) {
    if (!isIndexError(error) && !isCorrupt(error)) throw error
    // A damaged index cannot be merged, but it can be rebuilt from the nodes.
    db.transaction(() => rebuildIndex(db)).immediate()
  }
  return true
}

/** For a copy that does not contain what its original has yet to overwrite. */
export function clearPendingScrubs(file: string): void {
  closing(openHandle(file), (copy) => copy.exec('DELETE FROM scrubs'))
}

export function isScrubPending(db: Database): boolean {
  return lastRequest(db) !== null
}

function lastRequest(db: Database): number | null {
  const row = db.prepare<[], { last: number | null }>('SELECT max(id) AS last FROM scrubs').get()
  return row?.last ?? null
}

/** Checkpoints the journal and truncates it. */
export function truncateJournal(db: Database): boolean {
  const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  return result?.busy === 0
}

/** `optimize` writes a new index only when there is something to merge: adding and removing a row ensures that. */
function rewriteIndex(db: Database): void {
  const rewrite = db.transaction(() =>
    db.exec(`
      INSERT INTO node_index (rowid, label, body) VALUES (-1, '', 'x');
      INSERT INTO node_index (node_index) VALUES ('optimize');
      INSERT INTO node_index (node_index, rowid, label, body) VALUES ('delete', -1, '', 'x');`),
  )
  rewrite.immediate()
}

export function rewriteFile(db: Database): void {
  const tempStore = db.pragma('temp_store', { simple: true }) as number
  // The copy may be large: not in memory.
  db.pragma('temp_store = FILE')
  try {
    db.exec('VACUUM')
  } finally {
    db.pragma(`temp_store = ${tempStore}`)
  }
}
