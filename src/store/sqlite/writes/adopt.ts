import { MemoryError } from '../../../core/errors.ts'
import type { WriteSet } from '../../../core/port/write-set.ts'
import type { Context } from '../database/context.ts'
import { withoutDefence } from '../database/driver.ts'
import { INDEX_ROWS } from '../nodes/node-index.ts'

/** Texts of a staging that are here already, which only get more references. The table goes with the handle: see `runStaged`. */
const sharedTexts = (owner: number): string => `
  CREATE TEMP TABLE shared_texts (staged INTEGER PRIMARY KEY, stored INTEGER NOT NULL, refs INTEGER NOT NULL);
  INSERT INTO temp.shared_texts SELECT s.id, t.id, s.refs FROM main.texts t
    CROSS JOIN staged.texts s ON s.owner_id = (SELECT id FROM staged.owners) AND s.digest = t.digest
    WHERE t.owner_id = ${owner};
  UPDATE main.texts SET refs = texts.refs + s.refs FROM temp.shared_texts s WHERE s.stored = texts.id`
/** The tables in which FTS5 keeps what it has indexed. */
const INDEX_TABLES = ['data', 'idx', 'docsize'].map((part) => `node_index_${part}`)

/** Takes over what is stored in a database that is attached, with one statement a table. */
export function adoptions({ db, spaceId, ownerId }: Context) {
  const ask = (sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0

  /** Rows in the order of their keys, with other values in some columns. */
  function copy(table: string, key: string, others: Record<string, string> = {}, where = 'TRUE'): void {
    const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
    const values = columns.map((column) => others[column] ?? column)
    db.exec(
      `INSERT INTO main.${table} (${columns}) SELECT ${values} FROM staged.${table} WHERE ${where} ORDER BY ${key}`,
    )
  }
  function refuseClashes(): void {
    const isBehind = ask('SELECT (SELECT max(key) FROM main.nodes) >= (SELECT min(key) FROM staged.nodes)')
    const clash = 'SELECT 1 FROM main.nodes n CROSS JOIN staged.nodes s ON s.id = n.id LIMIT 1'
    if (isBehind || ask(clash)) throw clashed()
  }
  function copyRows(snapshotId: number): void {
    const last = (table: string): number => ask(`SELECT max(id) FROM main.${table}`)
    const [documents, texts, links] = [last('documents'), last('texts'), last('links')]
    const [space_id, owner_id] = [String(spaceId), String(ownerId)]
    const document_id = `document_id + ${documents}`
    copy('documents', 'id', { id: `id + ${documents}`, space_id, owner_id })
    copy('document_names', 'document_id, name', { document_id })
    db.exec(sharedTexts(ownerId))
    const shared = 'SELECT stored FROM temp.shared_texts WHERE staged'
    const text_id = `coalesce((${shared} = text_id), text_id + ${texts})`
    copy('texts', 'id', { id: `id + ${texts}`, owner_id }, `NOT EXISTS (${shared} = id)`)
    copy('nodes', 'key', { document_id, text_id })
    copy('versions', 'node_key', { snapshot_id: String(snapshotId), text_id })
    copy('heat', 'node_key')
    copy('links', 'id', { id: `id + ${links}` })
  }
  /** The words of the nodes that come are many: their index takes the place of the one here, and gets the words of the few. */
  function replaceIndex(): void {
    withoutDefence(db, () => {
      for (const table of INDEX_TABLES)
        db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM staged.${table}`)
    })
    db.exec(`INSERT INTO main.node_index (rowid, label, body) SELECT key, label, body FROM ${INDEX_ROWS}
      WHERE key < (SELECT min(key) FROM staged.nodes) ORDER BY key`)
  }

  return ({ snapshotId }: NonNullable<WriteSet['adopt']>): void => {
    refuseClashes()
    copyRows(snapshotId)
    replaceIndex()
  }
}

function clashed(): MemoryError {
  return new MemoryError('CONFLICT', 'what was staged does not fit to what others have stored since; retry')
}
