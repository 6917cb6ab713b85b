import type { Database } from 'better-sqlite3'
import type { IndexChange } from '../../../core/port/write-set.ts'
import type { Context } from '../database/context.ts'
import { trusting } from '../database/driver.ts'
import { statement } from '../database/statements.ts'

/** The expected content of the index, as the view `node_index_rows` defines it; only FTS5 may read the view: see `trusting`. */
export const INDEX_ROWS = `(
  SELECT n.key AS key, label_words(n.type, n.label) AS label, text_words(n.type, n.label, t.body) AS body
  FROM nodes n JOIN texts t ON t.id = n.text_id WHERE n.removed_in IS NULL)`

/** Rebuilds the index from the nodes. The schema must be known to be ours: see `compareSchema`. */
export function fillIndex(db: Database): void {
  trusting(db, () => db.exec(`INSERT INTO node_index (node_index) VALUES ('rebuild')`))
}

/**
 * Changes of the search index, written by ascending key. FTS5 gathers words in memory, and writing them out is most of its work. It
 * does so when a key is lower than the last one, and at every statement that SQLite may have to undo half-way: one that changes
 * several rows, says RETURNING, or sets a foreign key. So they come last in a set.
 */
export function indexWrites({ db }: Context) {
  const add = statement<[number, string, string]>(
    db,
    'INSERT INTO node_index (rowid, label, body) VALUES (?, ?, ?)',
  )
  const take = statement<[number, string, string]>(
    db,
    `INSERT INTO node_index (node_index, rowid, label, body) VALUES ('delete', ?, ?, ?)`,
  )
  return (changes: readonly IndexChange[]): void => {
    for (const { key, before, after } of changes.toSorted((a, b) => a.key - b.key)) {
      if (before) take().run(key, before.label, before.body)
      if (after) add().run(key, after.label, after.body)
    }
  }
}
