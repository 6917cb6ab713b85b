import type { Address } from '../../core/model.ts'
import type {
  DocumentVersion,
  DoorDocument,
  DoorKind,
  DoorPage,
  DoorQuery,
  DoorText,
} from '../../core/port/doors.ts'
import type { DocumentState } from '../../core/port/rows.ts'
import { utf8Length } from '../../core/tokens.ts'
import { type Context, listParameter } from './context.ts'
import { toAttributes } from './document-tags.ts'
import { wholeTexts } from './document-texts.ts'
import { HEAD_COLUMNS, type SqlDoorHead, toDoorHead } from './door-heads.ts'
import { doorPages } from './door-pages.ts'
import { doorTotals } from './door-totals.ts'
import { AT_ADDRESS, fromAddress } from './rows.ts'
import { limitOf, statement } from './statements.ts'

interface SqlDoorDocument extends SqlDoorHead {
  appended: number
  body: string | null
}

interface SqlDoorText
  extends Pick<SqlDoorDocument, 'id' | 'state' | 'revision' | 'updated_at' | 'attributes'> {
  appended: number
  body: string | null
}

interface SqlVersion {
  snapshot_id: number
  created_at: number
  state: DocumentState
  attributes: string | null
  lead: string | null
  body: string | null
}

const COLUMNS = `${HEAD_COLUMNS}, d.appended`
const TABLES = 'LEFT JOIN texts t ON t.id = d.text_id'

/** What the doors ask: documents with their texts, attributes and accesses. */
export function doorReads(context: Context) {
  const { db, spaceId, ownerId } = context
  const whole = wholeTexts(context)
  const byAddress = statement<[number, number, string, string, string], SqlDoorDocument>(
    db,
    `SELECT ${COLUMNS}, t.body FROM documents d ${TABLES}
     WHERE ${AT_ADDRESS}`,
  )
  const byId = statement<[number, string], SqlDoorDocument>(
    db,
    `SELECT ${COLUMNS}, CASE WHEN octet_length(t.body) <= ? THEN t.body END AS body
     FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value ${TABLES} ORDER BY j.key`,
  )
  const expiring = statement<[number, number, string], { at: number }>(
    db,
    // Of its own accord SQLite goes through all documents of the kind.
    `SELECT d.attributes ->> '$.expires_at' AS at FROM documents d INDEXED BY documents_by_expiry WHERE d.attributes ->> '$.expires_at' IS NOT NULL
     AND d.space_id = ? AND d.owner_id = ? AND d.kind = CAST(? AS TEXT) AND d.state = 'live' ORDER BY d.attributes ->> '$.expires_at' LIMIT 1`,
  )
  const ofNodes = statement<[string, number, number, string], { node: string; id: number }>(
    db,
    `SELECT n.id AS node, d.id FROM json_each(?) j CROSS JOIN nodes n ON n.id = j.value AND n.removed_in IS NULL
     CROSS JOIN documents d ON d.id = n.document_id WHERE d.space_id = ? AND d.owner_id = ? AND d.kind = CAST(? AS TEXT)`,
  )
  const history = statement<[number, number, number], SqlVersion>(
    db,
    `SELECT v.snapshot_id, s.created_at, v.state, v.attributes, v.lead, t.body FROM document_versions v
     JOIN snapshots s ON s.id = v.snapshot_id LEFT JOIN texts t ON t.id = v.text_id
     WHERE v.document_id = ? AND v.snapshot_id < ? ORDER BY v.snapshot_id DESC ${limitOf()}`,
  )
  const pages = doorPages(context)
  const totals = doorTotals(context)

  function listByIds(ids: number[], maxBytes = Number.MAX_SAFE_INTEGER): DoorDocument[] {
    return byId()
      .all(maxBytes, listParameter(ids))
      .map((row) => toDoorDocument(row, maxBytes))
  }
  function appendedText(id: number, maxBytes: number): string | null {
    const text = whole.textOf(id)
    return text !== null && utf8Length(text) > maxBytes ? null : text
  }

  function toDoorDocument(row: SqlDoorDocument, maxBytes = Number.MAX_SAFE_INTEGER): DoorDocument {
    return {
      ...toDoorHead(row, context.owner),
      text: row.appended === 1 ? appendedText(row.id, maxBytes) : row.body,
    }
  }

  const textAt = statement<[number, number, string, string, string], SqlDoorText>(
    db,
    `SELECT d.id, d.state, d.revision, d.updated_at, d.attributes, d.appended, t.body
     FROM documents d LEFT JOIN texts t ON t.id = d.text_id WHERE ${AT_ADDRESS}`,
  )
  const findRow = (address: Address): SqlDoorDocument | undefined =>
    byAddress().get(spaceId, ownerId, address.kind, ...fromAddress(address))
  const together = db.transaction((address: Address): DoorDocument | undefined => {
    const row = findRow(address)
    return row && toDoorDocument(row)
  })

  /** The pieces of a text and the row that says it has some are read together. */
  function findDoorDocument(address: Address): DoorDocument | undefined {
    const row = findRow(address)
    if (row?.appended !== 1 || db.inTransaction) return row && toDoorDocument(row)
    return together(address)
  }

  return {
    findDoorText(address: Address): DoorText | undefined {
      const row = textAt().get(spaceId, ownerId, address.kind, ...fromAddress(address))
      if (row?.appended === 1) return findDoorDocument(address)
      if (!row) return undefined
      const { id, state, revision, updated_at: updatedAt, attributes, body: text } = row
      return { id, address, state, revision, updatedAt, attributes: toAttributes(attributes), text }
    },
    findDoorDocument,
    // Sorted without their texts: those of a page are few.
    listDoorDocuments: (query: DoorQuery, page: DoorPage): DoorDocument[] =>
      listByIds(pages.idsOf(query, page), page.maxTextBytes),
    pageDoorDocuments(query: DoorQuery, page: DoorPage): { documents: DoorDocument[]; total: number } {
      const known = totals.findCount(query)
      const { ids, total } =
        known === undefined
          ? pages.countedIdsOf(query, page)
          : { ids: pages.idsOf(query, page), total: known }
      return {
        documents: listByIds(ids, page.maxTextBytes),
        total: total ?? totals.countDoorDocuments(query),
      }
    },
    countDoorDocuments: totals.countDoorDocuments,
    countDoorValues: totals.countDoorValues,
    doorBytes: totals.doorBytes,
    nextExpiry: (kind: DoorKind): number | null => expiring().get(spaceId, ownerId, kind)?.at ?? null,
    doorDocumentsOfNodes(
      kind: DoorKind,
      nodeIds: readonly string[],
      { maxTextBytes }: Pick<DoorPage, 'maxTextBytes'> = {},
    ): Map<string, DoorDocument> {
      const found = ofNodes().all(listParameter(nodeIds), spaceId, ownerId, kind)
      const listed = listByIds([...new Set(found.map(({ id }) => id))], maxTextBytes)
      const documents = new Map(listed.map((document) => [document.id, document]))
      return new Map(found.map(({ node, id }) => [node, documents.get(id) as DoorDocument]))
    },
    documentHistory(
      documentId: number,
      { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
    ): DocumentVersion[] {
      return history()
        .all(documentId, before, limit)
        .map((row) => ({
          snapshotId: row.snapshot_id,
          createdAt: row.created_at,
          state: row.state,
          attributes: toAttributes(row.attributes ?? whole.attributesAt(documentId, row.snapshot_id)),
          text: row.lead === null ? row.body : whole.textAt(documentId, row.snapshot_id),
        }))
    },
  }
}
