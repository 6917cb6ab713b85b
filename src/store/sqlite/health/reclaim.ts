import type { Database } from 'better-sqlite3'
import type { Reclaimed } from '../../../core/port/store.ts'
import { isBusy, isFull } from '../database/errors.ts'
import { INCREMENTAL } from '../database/open.ts'
import { rewriteFile, truncateJournal } from './scrub.ts'

/** Pages per step: others write in between. */
const PAGES = 500
/** Below this share of free pages an older database is not rewritten: what is free is used again. */
const WORTH_REWRITING = 0.1

/**
 * Gives free pages at the end of the file back to the system, some at a time. A database that was created without that
 * ability is rewritten once, if it is worth it: readers go on, other writers wait.
 */
export function reclaim(db: Database, { rewrite }: { rewrite: boolean }): Reclaimed {
  try {
    if (db.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL) return rewrite ? rewriteOnce(db) : 'done'
    // `exec` runs it to its end; as a statement it would stop after one page.
    db.exec(`PRAGMA incremental_vacuum(${PAGES})`)
    const isTruncated = truncateJournal(db)
    if (freePages(db) > 0) return 'more'
    return isTruncated ? 'done' : 'waits'
  } catch (error) {
    // The pages stay free, and are used again.
    if (isBusy(error) || isFull(error)) return 'done'
    throw error
  }
}

function rewriteOnce(db: Database): Reclaimed {
  const pages = db.pragma('page_count', { simple: true }) as number
  if (freePages(db) < pages * WORTH_REWRITING) return 'done'
  rewriteFile(db)
  return truncateJournal(db) ? 'done' : 'waits'
}

function freePages(db: Database): number {
  return db.pragma('freelist_count', { simple: true }) as number
}
