import { contentDigest } from '../../util/hash.ts'
import { plural } from '../../util/terminal-units.ts'
import { type Check, countOf, fail, pass } from './check.ts'
import { type Context, digestBlob } from './context.ts'
import { rebuildIndex } from './health-rebuild.ts'

const noText = (owner: string): string => `NOT EXISTS (SELECT 1 FROM texts t WHERE t.id = ${owner}.text_id)`
const lost = (owner: string): string => `${owner}.text_id IS NOT NULL AND ${noText(owner)}`

const BARE_NODES = `nodes.removed_in IS NULL AND ${noText('nodes')}`
const NEWEST = `SELECT v.text_id FROM versions v WHERE v.node_key = nodes.key ORDER BY v.snapshot_id DESC LIMIT 1`
/** Only what is lost leaves a file's document without a digest. */
const WAITING = `SELECT count(*) AS count FROM documents WHERE kind = 'source' AND state = 'live' AND digest IS NULL`

/** A live node and its newest version have one text: what one lost, the other may still know. */
const RECOVER = [
  `UPDATE nodes SET text_id = (${NEWEST})
   WHERE ${BARE_NODES} AND EXISTS (SELECT 1 FROM texts t WHERE t.id = (${NEWEST}))`,
  `UPDATE versions SET text_id = n.text_id FROM nodes n JOIN texts t ON t.id = n.text_id
   WHERE n.key = versions.node_key AND n.removed_in IS NULL AND ${lost('versions')} AND versions.snapshot_id =
     (SELECT max(v.snapshot_id) FROM versions v WHERE v.node_key = n.key)`,
]

/**
 * Nodes and versions stay in their places, for others stand below them: they only become empty. Without a digest a
 * document is compiled again; without an overlay the file's text is taken.
 */
const EMPTY = [
  `UPDATE documents SET digest = NULL, revision = revision + 1
   WHERE id IN (SELECT document_id FROM nodes WHERE ${BARE_NODES})`,
  `DELETE FROM overlays WHERE node_key IN (SELECT key FROM nodes WHERE ${BARE_NODES})`,
  `UPDATE nodes SET text_id = @empty, tokens = 0 WHERE ${BARE_NODES}`,
  `UPDATE versions SET text_id = @empty WHERE ${lost('versions')}`,
]

const FORGET_DOCUMENTS = [
  `UPDATE documents SET text_id = NULL, digest = NULL, revision = revision + 1 WHERE ${lost('documents')}`,
  `UPDATE document_versions SET text_id = NULL, digest = NULL WHERE ${lost('document_versions')}`,
]

export function missingTextCheck(context: Context): Check {
  const { db } = context
  const count = (table: string, where: string): number =>
    countOf(db, `SELECT count(*) AS count FROM ${table} WHERE ${where}`)
  return {
    name: 'missing_text',
    run() {
      const nodes = count('nodes', BARE_NODES)
      const versions = count('versions', lost('versions'))
      const documents =
        count('documents', lost('documents')) + count('document_versions', lost('document_versions'))
      if (nodes + versions + documents > 0) {
        return fail(
          `${plural(nodes, 'node')}, ${plural(versions, 'version')} and ${plural(documents, 'document')} lost their text; compile again to get back what files say`,
        )
      }
      const waiting = countOf(db, WAITING)
      return waiting === 0
        ? pass('every text that is referred to is there')
        : pass(
            `no reference to a lost text; compile again to get back what ${plural(waiting, 'file says', 'files say')}`,
          )
    },
    /** Reference counts, labels, counters and the state digest follow by their own checks. */
    heal() {
      for (const sql of RECOVER) db.exec(sql)
      const empty = addEmptyText(context)
      for (const sql of EMPTY) db.prepare(sql).run(...(sql.includes('@empty') ? [{ empty }] : []))
      for (const sql of FORGET_DOCUMENTS) db.exec(sql)
      rebuildIndex(context)
    },
  }
}

function addEmptyText({ db, ownerId }: Context): number {
  const digest = digestBlob(contentDigest(''))
  db.prepare(
    `INSERT INTO texts (owner_id, digest, refs, body) VALUES (?, ?, 0, '') ON CONFLICT DO NOTHING`,
  ).run(ownerId, digest)
  const find = db.prepare<[number, Buffer], { id: number }>(
    'SELECT id FROM texts WHERE owner_id = ? AND digest = ?',
  )
  return (find.get(ownerId, digest) as { id: number }).id
}
