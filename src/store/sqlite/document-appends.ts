import type { WriteTx } from '../../core/port/store.ts'
import type { Context } from './context.ts'
import { doorCountWrites, isCountedKind } from './door-counts.ts'
import { statement } from './statements.ts'
import type { TextQueries } from './texts.ts'

interface Appended {
  text_id: number | null
  attributes: string | null
  kind: string
}

type AppendInput = Parameters<WriteTx['appendText']>[0]

/** Puts pieces behind texts: the versions of a document are its text, so a piece costs itself. */
export function appends(context: Context, texts: TextQueries) {
  const { db } = context
  const counts = doorCountWrites(context)
  const current = statement<[number], Appended>(
    db,
    'SELECT text_id, kind, attributes FROM documents WHERE id = ?',
  )
  const add = statement<[Record<string, unknown>]>(
    db,
    `INSERT INTO document_versions (document_id, snapshot_id, state, text_id, digest, attributes, lead, trail)
     VALUES (@documentId, @snapshotId, 'live', @textId, NULL, @attributes, @lead, @trail)`,
  )
  const update = statement<[{ documentId: number; attributes: string; at: number }]>(
    db,
    `UPDATE documents SET text_id = NULL, digest = NULL, appended = 1, attributes = @attributes,
       revision = revision + 1, updated_at = max(@at, updated_at) WHERE id = @documentId`,
  )
  function append(
    { documentId, piece, attributes, at, snapshotId }: AppendInput,
    before: Appended | undefined,
  ): void {
    const { lead, trail, text, digest } = piece
    texts.dropText(before?.text_id ?? null)
    const json = JSON.stringify(attributes)
    add().run({
      documentId,
      snapshotId,
      textId: texts.addText(digest, text),
      // Missing: as in the version before.
      attributes: json === before?.attributes ? null : json,
      lead,
      trail: trail === '' ? null : trail,
    })
    update().run({ documentId, attributes: json, at })
  }
  return {
    appendText(input: AppendInput): void {
      const before = current().get(input.documentId)
      if (isCountedKind(before?.kind)) counts.counting(input.documentId, () => append(input, before))
      else append(input, before)
    },
  }
}
