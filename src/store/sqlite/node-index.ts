import type { IndexRow } from '../../core/find/index-row.ts'
import type { Context } from './context.ts'
import { trusting } from './driver.ts'
import { statement } from './statements.ts'

/** What the index has to hold, as the view `node_index_rows` says it. That one only FTS5 may read: see `trusting`. */
export const INDEX_ROWS = `(
  SELECT n.key AS key, label_words(n.type, n.label) AS label, text_words(n.type, n.label, t.body) AS body
  FROM nodes n JOIN texts t ON t.id = n.text_id WHERE n.removed_in IS NULL)`

/** Makes all of the index from the nodes. The schema must be known to be ours: see `findForeign`. */
export function fillIndex({ db }: Pick<Context, 'db'>): void {
  trusting(db, () => db.exec(`INSERT INTO node_index (node_index) VALUES ('rebuild')`))
}

/**
 * Changes of the search index, noted while nodes change and written at the end of a batch, by ascending key. FTS5 gathers
 * words in memory, and writing them out is most of its work. It does so when a key is lower than the last one, and at every
 * statement that SQLite may have to undo half-way: one that changes several rows, says RETURNING, or sets a foreign key.
 */
export function indexWrites({ db }: Context) {
  const stored = statement<[number], IndexRow>(db, `SELECT label, body FROM ${INDEX_ROWS} WHERE key = ?`)
  const add = statement<[number, string, string]>(
    db,
    'INSERT INTO node_index (rowid, label, body) VALUES (?, ?, ?)',
  )
  const take = statement<[number, string, string]>(
    db,
    `INSERT INTO node_index (node_index, rowid, label, body) VALUES ('delete', ?, ?, ?)`,
  )
  let noted: { key: number; before: IndexRow | undefined; after: IndexRow | undefined }[] = []

  return {
    /** What the index has to hold of a node as it is stored now; undefined of one that is not live. */
    rowOf: (key: number): IndexRow | undefined => stored().get(key),
    note(key: number, before: IndexRow | undefined, after: IndexRow | undefined): void {
      if (before && after && before.label === after.label && before.body === after.body) return
      noted.push({ key, before, after })
    },
    write(): void {
      for (const { key, before, after } of noted.sort((a, b) => a.key - b.key)) {
        if (before) take().run(key, before.label, before.body)
        if (after) add().run(key, after.label, after.body)
      }
      noted = []
    },
    /** Forgets what a transaction that failed had noted. */
    reset(): void {
      noted = []
    },
  }
}

export type IndexWriter = ReturnType<typeof indexWrites>
