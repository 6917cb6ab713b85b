import type { Database } from 'better-sqlite3'
import { codeOf, isCorrupt } from '../database/errors.ts'

/** What SQLite's own check found: in the file, and in the search index, which can be rebuilt. */
export interface Integrity {
  file: boolean
  index: boolean
}

const ABOUT_INDEX = /^fts5:|FTS5 table/

/** Reads the whole file. */
export function checkIntegrity(db: Database): Integrity {
  try {
    // quick_check uses the index as this handle last read it; a query refreshes it.
    db.prepare(`SELECT 1 FROM node_index WHERE node_index MATCH 'a' LIMIT 1`).get()
  } catch (error) {
    if (!isIndexError(error) && !isCorrupt(error)) throw error
  }
  try {
    const findings = quickCheck(db)
    return {
      file: findings.every((finding) => ABOUT_INDEX.test(finding)),
      index: findings.every((finding) => !ABOUT_INDEX.test(finding)),
    }
  } catch (error) {
    if (isIndexError(error)) return { file: areTablesSound(db), index: false }
    if (isCorrupt(error)) return { file: false, index: true }
    throw error
  }
}

/** Of the search index only: the tables may be sound. */
export function isIndexError(error: unknown): boolean {
  return ['SQLITE_CORRUPT_VTAB', 'SQLITE_ERROR'].includes(codeOf(error))
}

/** For an index so damaged that SQLite cannot check the file as a whole. */
function areTablesSound(db: Database): boolean {
  const tables = db
    .prepare<[], { name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`)
    .all()
  try {
    return tables.every(({ name }) => quickCheck(db, name).length === 0)
  } catch (error) {
    if (isCorrupt(error)) return false
    throw error
  }
}

function quickCheck(db: Database, table?: string): string[] {
  const rows = db.pragma(`quick_check${table === undefined ? '' : `("${table}")`}`) as {
    quick_check: string
  }[]
  return rows.map((row) => row.quick_check).filter((finding) => finding !== 'ok')
}
