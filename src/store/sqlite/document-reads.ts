import type { Address } from '../../core/model.ts'
import type {
  DocumentFields,
  DocumentPage,
  DocumentQuery,
  DocumentSelect,
  DocumentShapes,
  TextOptions,
} from '../../core/port/documents.ts'
import type { DoorHead } from '../../core/port/doors.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import { utf8Length } from '../../core/tokens.ts'
import { type Context, listParameter } from './context.ts'
import { toAttributes } from './document-tags.ts'
import { wholeTexts } from './document-texts.ts'
import { doorPages } from './door-pages.ts'
import { doorSql } from './door-query.ts'
import { doorTotals } from './door-totals.ts'
import { AT_ADDRESS, fromAddress, SHOWN_NAME, type SqlDocument, toAddress, toDocument } from './rows.ts'
import { statement, statementsByText } from './statements.ts'
import { TEXT_BYTES } from './text-bytes.ts'

interface SqlFields {
  columns: string
  /** What is read besides `documents d`; grouped: several rows of it for each document. */
  join?: string
  isGrouped?: boolean
}

const ADDRESS = 'd.id, d.kind, d.collection, d.name'
const ROW = `${ADDRESS}, d.state, d.digest, d.revision`
const HEAD = `${ROW}, d.attributes, d.created_at, d.updated_at, d.accesses, d.accessed_at`
const TEXT = 'LEFT JOIN texts t ON t.id = d.text_id'

const fieldsWith = (body: string, address = ADDRESS): Record<DocumentFields, SqlFields> => ({
  row: { columns: ROW },
  head: { columns: HEAD },
  text: {
    columns: `${address}, d.state, d.revision, d.updated_at, d.attributes, d.appended, ${body}`,
    join: TEXT,
  },
  whole: { columns: `${HEAD}, d.appended, ${body}`, join: TEXT },
  stored: {
    columns: `${HEAD}, d.appended, t.digest AS text_digest, CASE d.kind WHEN 'record' THEN ${TEXT_BYTES} END AS text_bytes`,
    join: TEXT,
  },
  name: { columns: `d.id, ${SHOWN_NAME} AS shown` },
  size: {
    columns: `${ADDRESS}, ${SHOWN_NAME} AS shown, count(n.key) AS nodes, coalesce(sum(n.tokens), 0) AS tokens`,
    join: 'LEFT JOIN nodes n ON n.document_id = d.id AND n.removed_in IS NULL',
    isGrouped: true,
  },
})
/** At an address: there it is known. */
const FIELDS = fieldsWith('t.body', 'd.id')
/** `octet_length` reads no text. */
const LIMITED = fieldsWith('CASE WHEN octet_length(t.body) <= @max THEN t.body END AS body')

/** Every column that a field may have; those of other fields are missing. */
interface SqlRow extends SqlDocument {
  attributes: string | null
  created_at: number
  updated_at: number
  accesses: number
  accessed_at: number | null
  appended: number
  body: string | null
  text_digest: Buffer | null
  text_bytes: number | null
  shown: string
  nodes: number
  tokens: number
}

type Shape = (row: SqlRow, known?: { address?: Address; max?: number }) => DocumentShapes[DocumentFields]

/** Documents, however they are selected and however much of each is asked for. */
export function documentReads(context: Context) {
  const { db, spaceId, ownerId, owner } = context
  const whole = wholeTexts(context)
  const pages = doorPages(context)
  const totals = doorTotals(context)
  const ask = statementsByText(db)
  const byAddress = eachOf(FIELDS, ({ columns, join = '', isGrouped }) =>
    statement<[number, number, string, string, string], SqlRow>(
      db,
      `SELECT ${columns} FROM documents d ${join} WHERE ${AT_ADDRESS}
       ${isGrouped ? 'GROUP BY d.id' : ''}`,
    ),
  )
  const byId = eachOf(LIMITED, ({ columns, join = '', isGrouped }) =>
    statement<[{ ids: string; max: number }], SqlRow>(
      db,
      `SELECT ${columns} FROM json_each(@ids) j CROSS JOIN documents d ON d.id = j.value ${join}
       ${isGrouped ? 'GROUP BY j.key' : ''} ORDER BY j.key`,
    ),
  )
  const ofNodes = statement<[string, number, number], { node: string; id: number }>(
    db,
    `SELECT n.id AS node, d.id FROM json_each(?) j CROSS JOIN nodes n ON n.id = j.value
     CROSS JOIN documents d ON d.id = n.document_id WHERE d.space_id = ? AND d.owner_id = ?`,
  )

  function textOf({ id, appended, body }: SqlRow, max = Number.MAX_SAFE_INTEGER): string | null {
    if (appended === 0) return body
    const text = whole.textOf(id)
    return text !== null && utf8Length(text) > max ? null : text
  }
  const shapes: Record<DocumentFields, Shape> = {
    row: (row) => toDocument(row, owner),
    head: (row) => toHead(row, owner),
    text: (row, { address = addressOf(row), max } = {}) => {
      const { id, state, revision, updated_at: updatedAt, attributes } = row
      const text = textOf(row, max)
      return { id, address, state, revision, updatedAt, attributes: toAttributes(attributes), text }
    },
    whole: (row, { max } = {}) => ({ ...toHead(row, owner), text: textOf(row, max) }),
    stored: (row, { address = addressOf(row) } = {}) => toStored(row, address),
    name: ({ id, shown }) => ({ id, name: shown }),
    size: (row) => {
      const { id, shown: name, nodes, tokens } = row
      return { id, address: addressOf(row), name, nodes, tokens }
    },
  }

  function atAddresses(addresses: readonly Address[], fields: DocumentFields) {
    const found: DocumentShapes[DocumentFields][] = []
    for (const address of addresses) {
      const row = byAddress[fields]().get(spaceId, ownerId, address.kind, ...fromAddress(address))
      if (row) found.push(shapes[fields](row, { address }))
    }
    return found
  }
  function withIds(
    ids: readonly number[],
    fields: DocumentFields,
    { maxTextBytes: max = Number.MAX_SAFE_INTEGER }: TextOptions,
  ) {
    const rows = byId[fields]().all({ ids: listParameter(ids), max })
    return rows.map((row) => shapes[fields](row, { max }))
  }
  /** All of them, in the order of the index that has their addresses. */
  function allOf(
    query: DocumentQuery,
    fields: DocumentFields,
    { maxTextBytes: max = Number.MAX_SAFE_INTEGER }: TextOptions,
  ) {
    const { columns, join, isGrouped } = LIMITED[fields]
    const { from, parameters } = doorSql(context, query, { join })
    const group = isGrouped ? 'GROUP BY d.collection, d.name' : ''
    const rows = ask<SqlRow>(`SELECT ${columns} ${from} ${group} ORDER BY d.collection, d.name`, {
      ...parameters,
      max,
    })
    return rows.map((row) => shapes[fields](row, { max }))
  }

  function documents<F extends DocumentFields>(
    select: DocumentSelect,
    fields: F,
    page?: DocumentPage | TextOptions,
  ): DocumentShapes[F][]
  function documents(select: DocumentSelect, fields: DocumentFields, page: DocumentPage | TextOptions = {}) {
    if ('at' in select) return atAddresses(select.at, fields)
    if ('ids' in select) return withIds(select.ids, fields, page)
    // Sorted without their texts: those of a page are few.
    return 'sort' in page ? withIds(pages.idsOf(select, page), fields, page) : allOf(select, fields, page)
  }

  return {
    documents,
    documentPage<F extends DocumentFields>(query: DocumentQuery, fields: F, page: DocumentPage) {
      const known = totals.findCount(query)
      const { ids, total } =
        known === undefined
          ? pages.countedIdsOf(query, page)
          : { ids: pages.idsOf(query, page), total: known }
      return { documents: documents({ ids }, fields, page), total: total ?? totals.countDocuments(query) }
    },
    documentsOf<F extends DocumentFields>(nodeIds: readonly string[], fields: F, options: TextOptions = {}) {
      const found = ofNodes().all(listParameter(nodeIds), spaceId, ownerId)
      const rows = documents({ ids: [...new Set(found.map(({ id }) => id))] }, fields, options)
      const byId = new Map(rows.map((row) => [row.id, row]))
      return new Map(found.map(({ node, id }) => [node, byId.get(id) as DocumentShapes[F]]))
    },
    totals: totals.totals,
  }
}

function eachOf<T>(
  all: Record<DocumentFields, SqlFields>,
  make: (fields: SqlFields) => T,
): Record<DocumentFields, T> {
  const made = Object.entries(all).map(([name, fields]) => [name, make(fields)])
  return Object.fromEntries(made) as Record<DocumentFields, T>
}

function addressOf({ kind, collection, name }: SqlDocument): Address {
  return toAddress(kind, collection, name)
}

function toStored(row: SqlRow, address: Address): StoredDocument {
  return {
    id: row.id,
    address,
    state: row.state,
    digest: row.digest?.toString('hex') ?? null,
    textDigest: row.text_digest?.toString('hex') ?? null,
    textBytes: row.text_bytes ?? 0,
    appended: row.appended === 1,
    attributes: row.attributes === null ? null : toAttributes(row.attributes),
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    accesses: row.accesses,
    accessedAt: row.accessed_at,
  }
}

function toHead(row: SqlRow, owner: string): DoorHead {
  return {
    ...toDocument(row, owner),
    attributes: toAttributes(row.attributes),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    accesses: row.accesses,
    accessedAt: row.accessed_at,
  }
}
