import type { Address } from '../../core/model.ts'
import type { DoorHead, DoorPage, DoorQuery } from '../../core/port/doors.ts'
import { type Context, listParameter } from './context.ts'
import { toAttributes } from './document-tags.ts'
import { doorPages } from './door-pages.ts'
import { AT_ADDRESS, fromAddress, type SqlDocument, toDocument } from './rows.ts'
import { statement } from './statements.ts'
import { TEXT_BYTES } from './text-bytes.ts'

export interface SqlDoorHead extends SqlDocument {
  attributes: string | null
  created_at: number
  updated_at: number
  accesses: number
  accessed_at: number | null
}

export const HEAD_COLUMNS = `d.id, d.kind, d.collection, d.name, d.state, d.digest, d.revision, d.attributes,
  d.created_at, d.updated_at, d.accesses, d.accessed_at`

/** What is known of documents without reading their texts. */
export function doorHeadReads(context: Context) {
  const { db, spaceId, ownerId, owner } = context
  const byAddress = statement<[number, number, string, string, string], SqlDoorHead>(
    db,
    `SELECT ${HEAD_COLUMNS} FROM documents d WHERE ${AT_ADDRESS}`,
  )
  const byId = statement<[string], SqlDoorHead>(
    db,
    `SELECT ${HEAD_COLUMNS} FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value ORDER BY j.key`,
  )
  const bytes = statement<[string], { bytes: number }>(
    db,
    `SELECT coalesce(sum(${TEXT_BYTES}), 0) AS bytes FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value
     LEFT JOIN texts t ON t.id = d.text_id`,
  )
  const pages = doorPages(context)
  return {
    findDoorHead(address: Address): DoorHead | undefined {
      const row = byAddress().get(spaceId, ownerId, address.kind, ...fromAddress(address))
      return row && toDoorHead(row, owner)
    },
    listDoorHeads(query: DoorQuery, page: DoorPage): DoorHead[] {
      return byId()
        .all(listParameter(pages.idsOf(query, page)))
        .map((row) => toDoorHead(row, owner))
    },
    textBytes: (documentIds: readonly number[]): number =>
      bytes().get(listParameter(documentIds))?.bytes ?? 0,
  }
}

export function toDoorHead(row: SqlDoorHead, owner: string): DoorHead {
  return {
    ...toDocument(row, owner),
    attributes: toAttributes(row.attributes),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    accesses: row.accesses,
    accessedAt: row.accessed_at,
  }
}
