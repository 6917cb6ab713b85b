import type { DocumentVersion } from '../../core/port/doors.ts'
import type { DocumentState } from '../../core/port/store.ts'
import { contentDigest } from '../../util/hash.ts'
import type { Context } from './context.ts'
import { documentTags, toAttributes } from './document-tags.ts'
import { wholeTexts } from './document-texts.ts'
import { doorCountWrites } from './door-counts.ts'
import { snapshotTime } from './snapshots.ts'
import { limitOf, statement } from './statements.ts'
import type { TextQueries } from './texts.ts'

interface SqlDocumentVersion {
  snapshot_id: number
  state: DocumentState
  text_id: number | null
  digest: Buffer | null
  attributes: string | null
  lead: string | null
}
interface SqlPastVersion extends Omit<SqlDocumentVersion, 'text_id' | 'digest'> {
  created_at: number
  body: string | null
}
interface Versioned {
  kind: string
  text_id: number | null
}
const NOT_THERE: SqlDocumentVersion = {
  snapshot_id: 0,
  state: 'removed',
  text_id: null,
  digest: null,
  attributes: null,
  lead: null,
}

function versionStatements({ db }: Context) {
  const current = statement<
    [number],
    Versioned & { state: string; attributes: string | null; appended: number }
  >(db, 'SELECT text_id, kind, state, attributes, appended FROM documents WHERE id = ?')
  const after = statement<[number], { document_id: number }>(
    db,
    'SELECT DISTINCT document_id FROM document_versions WHERE snapshot_id > ?',
  )
  const at = statement<[number, number], SqlDocumentVersion>(
    db,
    `SELECT snapshot_id, state, text_id, digest, attributes, lead FROM document_versions WHERE document_id = ? AND snapshot_id <= ?
     ORDER BY snapshot_id DESC LIMIT 1`,
  )
  return { current, after, at }
}

export function documentVersionReads(context: Context) {
  const { current, after, at } = versionStatements(context)

  /** Only doors keep more of a document than its nodes. */
  function differs(id: number, then: SqlDocumentVersion): boolean {
    const row = current().get(id)
    if (!row || row.attributes === null || row.state === 'erased') return false
    const isWhole = row.appended === 0 && then.lead === null
    return (
      !isWhole ||
      row.state !== then.state ||
      row.text_id !== then.text_id ||
      row.attributes !== then.attributes
    )
  }

  const whole = wholeTexts(context)
  const history = statement<[number, number, number], SqlPastVersion>(
    context.db,
    `SELECT v.snapshot_id, s.created_at, v.state, v.attributes, v.lead, t.body FROM document_versions v
     JOIN snapshots s ON s.id = v.snapshot_id LEFT JOIN texts t ON t.id = v.text_id
     WHERE v.document_id = ? AND v.snapshot_id < ? ORDER BY v.snapshot_id DESC ${limitOf()}`,
  )

  return {
    documentVersions: (
      documentId: number,
      { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
    ): DocumentVersion[] =>
      history()
        .all(documentId, before, limit)
        .map((row) => ({
          snapshotId: row.snapshot_id,
          createdAt: row.created_at,
          state: row.state,
          attributes: toAttributes(row.attributes ?? whole.attributesAt(documentId, row.snapshot_id)),
          text: row.lead === null ? row.body : whole.textAt(documentId, row.snapshot_id),
        })),
    countChangedDocuments: (target: number): number =>
      after()
        .all(target)
        .filter(({ document_id }) => differs(document_id, at().get(document_id, target) ?? NOT_THERE)).length,
  }
}

/** What documents were at each snapshot. Not of source files: those are on disk, and their nodes have versions. */
export function documentVersionWrites(context: Context, texts: TextQueries) {
  const { db } = context
  const whole = wholeTexts(context)
  const tags = documentTags(context)
  const counts = doorCountWrites(context)
  const { current, after, at } = versionStatements(context)
  const insert = statement<[number, number]>(
    db,
    `INSERT INTO document_versions (document_id, snapshot_id, state, text_id, digest, attributes)
     SELECT id, ?, state, text_id, digest, attributes FROM documents WHERE id = ?
     ON CONFLICT DO NOTHING`,
  )
  const textAt = statement<[number, number], { text_id: number | null }>(
    db,
    'SELECT text_id FROM document_versions WHERE document_id = ? AND snapshot_id = ?',
  )
  const replace = statement<[{ id: number; snapshotId: number }]>(
    db,
    `UPDATE document_versions SET (state, text_id, digest, attributes, lead, trail) =
       (SELECT state, text_id, digest, attributes, NULL, NULL FROM documents WHERE id = @id)
     WHERE document_id = @id AND snapshot_id = @snapshotId`,
  )
  const restore = statement<
    [
      {
        id: number
        state: string
        textId: number | null
        digest: Buffer | null
        attributes: string | null
        snapshotId: number
      },
    ]
  >(
    db,
    `UPDATE documents SET state = @state, text_id = @textId, digest = @digest, attributes = @attributes, appended = 0,
       revision = revision + 1, updated_at = ${snapshotTime('@snapshotId')} WHERE id = @id AND state <> 'erased'`,
  )

  const forgetAccesses = statement<[number]>(
    db,
    'UPDATE documents SET accesses = 0, accessed_at = NULL WHERE id = ? AND accesses > 0',
  )

  /** `document`: as it is now, for who knows. */
  function recordVersion(
    id: number,
    snapshotId: number | null,
    document: Versioned | undefined = current().get(id),
  ): void {
    if (snapshotId === null || !document || document.kind === 'source') return
    if (insert().run(snapshotId, id).changes === 0) replaceVersion(id, snapshotId)
    texts.retainText(document.text_id)
  }

  /** A second change in one snapshot replaces the first one's version. */
  function replaceVersion(id: number, snapshotId: number): void {
    const before = textAt().get(id, snapshotId)
    replace().run({ id, snapshotId })
    texts.dropText(before?.text_id ?? null)
  }

  /** A reference to the text of then; a text of many pieces becomes one. */
  function textThen(documentId: number, then: SqlDocumentVersion): number | null {
    if (then.lead !== null) {
      const text = whole.textAt(documentId, then.snapshot_id)
      return text === null ? null : texts.addText(contentDigest(text), text)
    }
    texts.retainText(then.text_id)
    return then.text_id
  }

  function restoreDocument(id: number, target: number, snapshotId: number): void {
    const then = at().get(id, target) ?? NOT_THERE
    const before = current().get(id)?.text_id ?? null
    const textId = textThen(id, then)
    const { state, digest } = then
    const attributes = then.lead === null ? then.attributes : whole.attributesAt(id, then.snapshot_id)
    const { changes } = restore().run({ id, state, textId, digest, attributes, snapshotId })
    texts.dropText(changes > 0 ? before : textId)
    if (changes > 0) tags.setTags(id, toAttributes(attributes).tags ?? [])
    // How often it was asked for is no part of what it said: only what is there has a count.
    if (state !== 'live') forgetAccesses().run(id)
    recordVersion(id, snapshotId)
  }

  return {
    recordVersion,
    restoreDocuments(target: number, snapshotId: number): void {
      for (const { document_id: id } of after().all(target))
        counts.counting(id, () => restoreDocument(id, target, snapshotId))
    },
  }
}
