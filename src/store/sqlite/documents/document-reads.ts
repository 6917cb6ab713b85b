import { placeOf, toAddress } from '../../../core/address.ts'
import type { DocumentKind } from '../../../core/model.ts'
import type {
  DocumentCondition,
  DocumentFields,
  DocumentPage,
  DocumentQuery,
  DocumentSelect,
  DocumentShapes,
  DocumentSortKey,
  FileTree,
  Paged,
  TextOptions,
} from '../../../core/port/documents.ts'
import type { StoredDocument } from '../../../core/port/stored.ts'
import { type DocumentParts, documentShapes } from '../../../core/rows/document-shapes.ts'
import { isDoorCount } from '../../../core/rows/door-counts.ts'
import { createFileEntries } from '../../../core/rows/file-entries.ts'
import { type Context, listParameter } from '../database/context.ts'
import { hexOrNull, toAttributes } from '../database/rows.ts'
import { limitOf, statement, statements } from '../database/statements.ts'
import { orderOf, querySql, SORTS } from './document-query.ts'
import { TEXT, TEXT_BYTES, WITH_TEXT } from './document-texts.ts'
import { documentTotals } from './document-totals.ts'

const ADDRESS = 'd.id, d.kind, d.collection, d.name'
const ROW = `${ADDRESS}, d.state, ${hexOrNull('d.digest')} AS digest, d.revision`
const HEAD = `${ROW}, d.attributes, d.created_at AS createdAt, d.updated_at AS updatedAt, d.accesses, d.accessed_at AS accessedAt`
const WITHIN = `CASE WHEN @max IS NULL OR ${TEXT_BYTES} <= @max THEN ${TEXT} END AS text`
const STORED = `${HEAD}, d.appended, d.text_bytes AS textBytes, d.user_id AS userId`
const SIZE = `(SELECT json_array(count(*), coalesce(sum(n.tokens), 0)) FROM nodes n
  WHERE n.document_id = d.id AND n.removed_in IS NULL) AS size`

const FIELDS: Record<DocumentFields, ReturnType<typeof fieldsSql>> = {
  row: fieldsSql(ROW),
  head: fieldsSql(HEAD),
  text: fieldsSql(
    `${ADDRESS}, d.state, d.revision, d.attributes, d.updated_at AS updatedAt, ${WITHIN}`,
    WITH_TEXT,
  ),
  whole: fieldsSql(`${HEAD}, ${WITHIN}`, WITH_TEXT),
  stored: fieldsSql(`${STORED}, ${hexOrNull('t.digest')} AS textDigest`, WITH_TEXT),
  name: fieldsSql(ADDRESS),
  size: fieldsSql(`${ADDRESS}, ${SIZE}`),
}

/** What is read of a document, of itself and of what is joined to it; and the statements that select by address and by id. */
function fieldsSql(columns: string, join = '') {
  const ids = `SELECT ${columns} FROM json_each(@ids) j CROSS JOIN documents d ON d.id = j.value ${join}
    WHERE @own IS NULL OR d.owner_id = @own ORDER BY j.key`
  // Some indexes are of one kind only: a bare parameter for it would have SQLite plan the statement for every value.
  const at = `SELECT ${columns} FROM documents d ${join} WHERE d.space_id = @space AND d.owner_id = @owner
    AND d.kind = CAST(@kind AS TEXT) AND d.collection = @collection AND d.name = @name`
  const ofNode = `SELECT ${columns} FROM nodes n CROSS JOIN documents d ON d.id = n.document_id ${join}
    WHERE n.id = @node AND d.owner_id = @owner`
  return { columns, join, ids, at, ofNode }
}

/** Every column that fields may have; those of other fields are missing. */
interface SqlDocument extends Omit<StoredDocument, 'address' | 'appended' | 'attributes'> {
  kind: DocumentKind
  collection: string
  name: string
  appended?: number
  attributes?: string | null
  text?: string | null
  size?: string
}

interface Found {
  id: number
  place: number
  total?: number
}

/** An index has records of one type, archived or not, in each of these orders. */
const IN_ORDER: readonly DocumentSortKey[] = ['created', 'updated', 'accessed']
/** More than remindb creates; an import may have others. */
const MAX_CLASSES = 8

/** Reads documents by any selection, with any set of fields. */
export function documentReads(context: Context) {
  const { spaceId: space, ownerId: owner } = context
  const { totals, findClasses } = documentTotals(context)
  const ask = statements(context.db)

  function rowsOf(select: DocumentSelect, fields: DocumentFields, max: number | null): SqlDocument[] {
    const { columns, join, ids, at, ofNode } = FIELDS[fields]
    if ('ids' in select)
      return ask(ids, { ids: listParameter(select.ids), own: select.own ? owner : null, max })
    if ('ofNode' in select) return ask(ofNode, { node: select.ofNode, owner, max })
    if ('at' in select)
      return select.at.flatMap((address) => {
        return ask<SqlDocument>(at, { space, owner, kind: address.kind, ...placeOf(address), max })
      })
    const { from, parameters } = querySql(context, select, join)
    return ask(`SELECT ${columns} ${from} ORDER BY d.collection, d.name`, { ...parameters, max })
  }

  /** Found and sorted without their texts: those of a page are few. */
  function findPage(query: DocumentQuery, { sort, limit, offset = 0, total }: DocumentPage): Found[] {
    const kept = total && isDoorCount(query) ? totals(query)[0]?.count : undefined
    const isCounting = total && kept === undefined
    const parts = isCounting ? [query] : inClasses(query, sort)
    const [{ by, descending } = { by: 'id' as const }] = sort
    const columns = `d.id, ${SORTS[by]} AS place${isCounting ? ', count(*) OVER () AS total' : ''}`
    const found = parts.flatMap((part) => {
      const { from, parameters } = querySql(context, part)
      const sql = `SELECT ${columns} ${from} ${orderOf(part, sort)} ${limitOf('@limit')}`
      return ask<Found>(sql, { ...parameters, limit: offset + limit })
    })
    const sign = descending ? -1 : 1
    if (parts.length > 1) found.sort((a, b) => sign * (a.place - b.place || a.id - b.id))
    return found
      .slice(offset, offset + limit)
      .map((one) => (kept === undefined ? one : { ...one, total: kept }))
  }
  /** The same in parts that each are in the order of an index; the query itself where there is no such index. */
  function inClasses(query: DocumentQuery, sort: DocumentPage['sort']): DocumentQuery[] {
    const { kind, states = ['live'], where = [], tags = [], words } = query
    const isInOrder = sort.length === 1 && sort.every(({ by }) => IN_ORDER.includes(by))
    if (kind !== 'record' || !isInOrder || tags.length > 0 || words) return [query]
    const classes = findClasses({ kind, states, where: where.filter(isOfClass) })
    const isKnown = classes.every(({ archived, type }) => archived !== '' && type !== '')
    if (!isKnown || classes.length === 0 || classes.length > MAX_CLASSES) return [query]
    const others = where.filter((one) => !isOfClass(one))
    return classes.map(({ archived, type }) => ({
      ...query,
      where: [...others, { attribute: 'archived', in: [archived] }, { attribute: 'type', in: [type] }],
    }))
  }

  function documents<F extends DocumentFields>(
    select: DocumentSelect,
    fields: F,
    page: DocumentPage | TextOptions = {},
  ): Paged<DocumentShapes[F]>[] {
    const { maxTextBytes: max = null } = page
    const shape = documentShapes[fields]
    if (!('sort' in page) || !('kind' in select))
      return rowsOf(select, fields, max).map((row) => shape(toStored(row), partsOf(row, context.owner)))
    const found = findPage(select, page)
    const rows = documents({ ids: found.map(({ id }) => id) }, fields, page)
    return page.total ? rows.map((row, at) => Object.assign(row, { total: found[at]?.total ?? 0 })) : rows
  }

  return { documents, totals, ...fileEntryReads(context) }
}

/** Lists the children of a path. Steps from name to name: the content of a folder is skipped in one step. */
function fileEntryReads({ db, spaceId, ownerId }: Context) {
  const next = statement<[Record<string, string | number>], { name: string; folder: number | null }>(
    db,
    `SELECT d.name, d.attributes ->> '$.folder' AS folder FROM documents d
     WHERE d.space_id = @space AND d.owner_id = @owner AND d.kind = 'file' AND d.collection = @collection
       AND d.name >= @from AND d.name < @end AND d.state = 'live' ORDER BY d.name LIMIT 1`,
  )
  return {
    fileEntries(memory: FileTree, path: string, limit: number): { name: string; isFolder: boolean }[] {
      const { collection } = placeOf({ kind: 'file', ...memory, path })
      const scope = { space: spaceId, owner: ownerId, collection, end: `${path}0` }
      const entries = createFileEntries(path)
      for (let from = `${path}/`; entries.count() < limit; ) {
        const row = next().get({ ...scope, from })
        if (!row) break
        const { name, isDeeper } = entries.add(row.name, row.folder === 1)
        // `0` comes right after `/`, and a NUL before everything else that a name can have.
        from = isDeeper ? `${path}/${name}0` : `${row.name}\0`
      }
      return entries.list()
    },
  }
}

function partsOf({ text, size }: SqlDocument, owner: string): DocumentParts {
  if (size === undefined) return { owner, text }
  const [nodes, tokens] = JSON.parse(size) as number[]
  return { owner, nodes, tokens }
}

function isOfClass({ attribute }: DocumentCondition): boolean {
  return attribute === 'archived' || attribute === 'type'
}

function toStored(row: SqlDocument): StoredDocument {
  const { kind, collection, name, text: _, size, ...rest } = row
  return {
    ...rest,
    address: toAddress(kind, collection, name),
    appended: row.appended === 1,
    attributes: toAttributes(row.attributes || null),
  }
}
