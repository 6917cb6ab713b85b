import type { Address } from '../../core/model.ts'
import type { DoorHead, DoorPage, DoorQuery } from '../../core/store-doors.ts'
import { type Context, listParameter } from './context.ts'
import { toAttributes } from './document-tags.ts'
import { doorSql, pageSql } from './door-query.ts'
import { AT_ADDRESS, fromAddress, type SqlDocument, toDocument } from './rows.ts'
import { statement, statementsByText } from './statements.ts'

export interface SqlDoorHead extends SqlDocument {
  attributes: string | null
  created_at: number
  updated_at: number
  count: number | null
  accessed_at: number | null
}

export const HEAD_COLUMNS = `d.id, d.kind, d.collection, d.name, d.state, d.digest, d.revision, d.attributes,
  d.created_at, d.updated_at, a.count, a.accessed_at`
export const HEAD_TABLES = 'LEFT JOIN document_accesses a ON a.document_id = d.id'

/** `octet_length` looks at no text: a row says how long it is. */
const PIECE_BYTES = `octet_length(coalesce(v.lead, '')) + octet_length(p.body) + octet_length(coalesce(v.trail, ''))`
/** Bytes of the text of `d`; `t` is its text, where it is one. */
export const TEXT_BYTES = `CASE d.appended WHEN 0 THEN octet_length(t.body) ELSE (SELECT sum(${PIECE_BYTES})
  FROM document_versions v JOIN texts p ON p.id = v.text_id WHERE v.document_id = d.id AND v.snapshot_id >= (
    SELECT max(b.snapshot_id) FROM document_versions b WHERE b.document_id = d.id AND b.lead IS NULL)) END`

/** What is known of documents without reading their texts. */
export function doorHeadReads(context: Context) {
  const { db, spaceId, ownerId, owner } = context
  const byAddress = statement<[number, number, string, string, string], SqlDoorHead>(
    db,
    `SELECT ${HEAD_COLUMNS} FROM documents d ${HEAD_TABLES}
     WHERE ${AT_ADDRESS}`,
  )
  const byId = statement<[string], SqlDoorHead>(
    db,
    `SELECT ${HEAD_COLUMNS} FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value ${HEAD_TABLES} ORDER BY j.key`,
  )
  const bytes = statement<[string], { bytes: number }>(
    db,
    `SELECT coalesce(sum(${TEXT_BYTES}), 0) AS bytes FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value
     LEFT JOIN texts t ON t.id = d.text_id`,
  )
  const ask = statementsByText(db)
  return {
    findDoorHead(address: Address): DoorHead | undefined {
      const row = byAddress().get(spaceId, ownerId, address.kind, ...fromAddress(address))
      return row && toDoorHead(row, owner)
    },
    listDoorHeads(query: DoorQuery, page: DoorPage): DoorHead[] {
      const { from, parameters } = doorSql(context, query)
      const { order, parameters: limits } = pageSql(page)
      const ids = ask<{ id: number }>(`SELECT d.id ${from} ${order}`, { ...parameters, ...limits })
      return byId()
        .all(listParameter(ids.map(({ id }) => id)))
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
    accesses: row.count ?? 0,
    accessedAt: row.accessed_at,
  }
}
