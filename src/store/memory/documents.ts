import { byAddress, placeOf, shownName } from '../../core/address.ts'
import { pastText } from '../../core/document-past.ts'
import { attributeValue, bySort, fitsQuery } from '../../core/document-query.ts'
import { fits, hasUnit } from '../../core/find/match-words.ts'
import type * as port from '../../core/port/documents.ts'
import type { DocumentRow } from '../../core/port/rows.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import { utf8Length } from '../../core/tokens.ts'
import { tagsOf } from '../../core/write/door-counts.ts'
import { by } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { liveNodes, textOf } from './nodes.ts'
import { type DocumentPast, pick, type Tables } from './tables.ts'

type Shapes = {
  [F in port.DocumentFields]: (tables: Tables, row: StoredDocument, max: number) => port.DocumentShapes[F]
}

function rowOf({ id, address, state, digest, revision }: StoredDocument): DocumentRow {
  return { id, address, owner: 'local', state, digest, revision }
}

const SHAPES: Shapes = {
  row: (_, document) => rowOf(document),
  head(_, document) {
    const { attributes, createdAt, updatedAt, accesses, accessedAt } = document
    return { ...rowOf(document), attributes: attributes ?? {}, createdAt, updatedAt, accesses, accessedAt }
  },
  text(tables, document, max) {
    const { id, address, state, revision, updatedAt, attributes } = document
    const text = readText(tables, document, max)
    return { id, address, state, revision, updatedAt, attributes: attributes ?? {}, text }
  },
  whole: (tables, document, max) => ({
    ...SHAPES.head(tables, document, max),
    text: readText(tables, document, max),
  }),
  stored(tables, document) {
    const isThere = tables.texts.has(document.textDigest ?? '')
    return { ...document, textDigest: isThere ? document.textDigest : null }
  },
  name: (_, { id, address }) => ({ id, name: shownName(address) }),
  size: sizeOf,
}

function sizeOf(tables: Tables, { id, address }: StoredDocument): port.DocumentShapes['size'] {
  const nodes = liveNodes(tables, id)
  const tokens = nodes.reduce((sum, node) => sum + node.tokens, 0)
  return { id, address, name: shownName(address), nodes: nodes.length, tokens }
}

/** Larger ones are not read. */
function readText(tables: Tables, document: StoredDocument, max: number): string | null {
  const { id, appended, textDigest } = document
  const said = (digest: string | null) => textOf(tables, digest)
  const text = appended ? pastText(versionsUntil(tables, id, Infinity), said) : said(textDigest)
  return text !== null && utf8Length(text) > max ? null : text
}

/** Oldest first. */
export function versionsUntil(tables: Tables, documentId: number, until: number): DocumentPast[] {
  return (tables.documentVersions.get(documentId) ?? []).filter(({ snapshotId }) => snapshotId <= until)
}

export function documentReads(tables: Tables): Omit<Sync<port.DocumentReads>, 'documentVersions'> {
  const all = (): StoredDocument[] => [...tables.documents.values()]

  function fitting(query: port.DocumentQuery): StoredDocument[] {
    const { words, hasNodes } = query
    const found = all().filter((document) => fitsQuery(document, query))
    if (!words && !hasNodes) return found
    return found.filter(({ id }) => {
      const keys = liveNodes(tables, id).map(({ key }) => key)
      const rows = pick(tables.index, keys)
      const hasWord = (at: number): boolean => rows.some((row) => hasUnit(row, words?.units[at]))
      return !(hasNodes && keys.length === 0) && (!words || fits(words.expression, hasWord))
    })
  }
  function selected(
    select: port.DocumentSelect,
    page: port.DocumentPage | port.TextOptions,
  ): StoredDocument[] {
    if ('ids' in select) return pick(tables.documents, select.ids)
    if ('at' in select)
      return select.at.flatMap((address) => all().find((one) => byAddress(one.address, address) === 0) ?? [])
    if (!('sort' in page)) return fitting(select).sort((a, b) => byAddress(a.address, b.address))
    const { sort, offset = 0, limit } = page
    return fitting(select)
      .sort(bySort(sort))
      .slice(offset, offset + limit)
  }
  function documents<F extends port.DocumentFields>(
    select: port.DocumentSelect,
    fields: F,
    page: port.DocumentPage | port.TextOptions = {},
  ): port.DocumentShapes[F][] {
    const { maxTextBytes = Infinity } = page
    return selected(select, page).map((document) => SHAPES[fields](tables, document, maxTextBytes))
  }
  function totals(
    select: port.DocumentQuery | { ids: readonly number[] },
    { by: value, limit, bytes }: port.TotalOptions = {},
  ): port.DocumentTotal[] {
    const found = 'ids' in select ? pick(tables.documents, select.ids) : fitting(select)
    if (bytes || value === undefined) {
      const texts = bytes ? found.map((document) => readText(tables, document, Infinity) ?? '') : []
      const size = texts.reduce((sum, text) => sum + utf8Length(text), 0)
      return [{ value: null, count: found.length, bytes: size }]
    }
    const values = found.flatMap((document) => valuesOf(document, value))
    const groups = [...Map.groupBy(values, (one) => one)]
    const counted = groups.map(([one, same]) => ({ value: one, count: same.length, bytes: 0 }))
    return counted.sort(by((one) => [-one.count, one.value])).slice(0, limit)
  }
  return {
    documents,
    documentPage: (query, fields, page) => ({
      documents: documents(query, fields, page),
      total: fitting(query).length,
    }),
    documentsOf(nodeIds, fields, options) {
      const byId = new Map([...tables.nodes.values()].map((node) => [node.id, node]))
      return new Map(
        pick(byId, nodeIds).flatMap(({ id, documentId }) =>
          documents({ ids: [documentId] }, fields, options).map((row) => [id, row] as const),
        ),
      )
    },
    totals,
    fileEntries(memory, path, limit) {
      const found = new Map<string, boolean>()
      for (const { address, attributes } of fitting({ kind: 'file', memory })) {
        const { name: whole } = placeOf(address)
        if (!whole.startsWith(`${path}/`)) continue
        const [name = '', ...below] = whole.slice(path.length + 1).split('/')
        const isFolder = below.length > 0 || attributes?.folder === true
        found.set(name, isFolder || found.get(name) === true)
      }
      const entries = [...found].map(([name, isFolder]) => ({ name, isFolder }))
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit)
    },
  }
}

/** What a document is counted by; an empty text is none. */
function valuesOf(document: StoredDocument, value: NonNullable<port.TotalOptions['by']>): (string | null)[] {
  const { address, attributes } = document
  if (value === 'tag') return [...new Set(tagsOf(attributes))]
  const one = value === 'root' ? placeOf(address).collection : attributeValue(attributes?.[value])
  return [one === '' ? null : (one as string | null)]
}
