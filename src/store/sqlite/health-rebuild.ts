import type { Database } from 'better-sqlite3'
import type { Context } from './context.ts'
import { findForeign } from './foreign-objects.ts'
import { expectedSchema, isOfIndex } from './health-expected.ts'
import { fillIndex } from './node-index.ts'

/** Rebuilds the search index, with its settings, from the nodes. FTS5's own `rebuild` cannot when its tables are damaged. */
export function rebuildIndex({ db }: Pick<Context, 'db'>): void {
  if (findForeign(db).some((object) => !isOfIndex(object)))
    throw new Error('not tried: the database has parts that remindb did not make')
  makeDroppable(db)
  db.exec('DROP TABLE IF EXISTS node_index')
  const { objects, indexSettings } = expectedSchema()
  db.exec(objects.find(({ name }) => name === 'node_index')?.sql ?? '')
  const set = db.prepare('INSERT INTO node_index (node_index, rank) VALUES (?, CAST(? AS INTEGER))')
  for (const { name, value } of indexSettings) if (name !== 'version') set.run(name, value)
  fillIndex({ db })
}

/** FTS5 refuses even to drop an index whose version it does not know. */
function makeDroppable(db: Database): void {
  const { objects, indexSettings } = expectedSchema()
  const config = objects.find(({ name }) => name === 'node_index_config')?.sql ?? ''
  const version = indexSettings.find(({ name }) => name === 'version')?.value
  // SQLite keeps these tables from everybody but FTS5.
  db.unsafeMode(true)
  try {
    if (!hasTable(db, 'node_index')) return
    if (!hasTable(db, 'node_index_config')) db.exec(config)
    db.prepare(`INSERT OR REPLACE INTO node_index_config (k, v) VALUES ('version', CAST(? AS INTEGER))`).run(
      version,
    )
  } finally {
    db.unsafeMode(false)
  }
}

function hasTable(db: Database, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined
}
