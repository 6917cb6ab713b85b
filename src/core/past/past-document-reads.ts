import { by } from '../../util/text/order.ts'
import { byAddress } from '../address.ts'
import { fits, hasUnit } from '../find/match.ts'
import { type IndexRow, indexRow } from '../find/query/index-row.ts'
import type {
  DocumentFields,
  DocumentPage,
  DocumentPick,
  DocumentQuery,
  DocumentReads,
  DocumentSelect,
  DocumentShapes,
  Paged,
  TextOptions,
} from '../port/documents.ts'
import type { Match } from '../port/search.ts'
import type { ReadTx } from '../port/store.ts'
import type { StoredDocument, StoredNodeFacts } from '../port/stored.ts'
import { bySort, fitsQuery } from '../rows/document-query.ts'
import { documentShapes } from '../rows/document-shapes.ts'
import { createFileEntries } from '../rows/file-entries.ts'
import { utf8Length } from '../tokens.ts'
import type { PastTree } from './past-tree.ts'
import type { PastView } from './past-view.ts'
import { unsupported } from './unsupported.ts'

function wordsOfNode({ type, label, text }: StoredNodeFacts): IndexRow {
  return indexRow({ type, label, text: text ?? '' })
}

/** Each unit is in some node. */
function hasWords(rows: readonly IndexRow[], { units, expression }: Match): boolean {
  return fits(expression, (at) => rows.some((row) => hasUnit(row, units[at])))
}

type Reads = Pick<DocumentReads, 'documents' | 'totals' | 'fileEntries' | 'documentVersions'>

/** Documents as they were at a snapshot. Those that did not exist are removed. */
export function pastDocumentReads(tx: ReadTx, view: PastView, tree: PastTree): Reads {
  const { documents: differing, nodes: past, snapshot } = view

  async function pick(select: DocumentPick): Promise<StoredDocument[]> {
    if ('ids' in select) {
      const found = await tx.documents(select, 'stored')
      return found.map((now) => differing.get(now.id) ?? now)
    }
    // One that came later may have had the address of one that moved away: what was there wins.
    const then = new Map(
      [...differing.values()]
        .sort(by(({ state }) => [Number(state === 'live')]))
        .map((one) => [JSON.stringify(one.address), one]),
    )
    const today = await tx.documents(select, 'stored')
    const same = new Map(
      today.filter(({ id }) => !differing.has(id)).map((one) => [JSON.stringify(one.address), one]),
    )
    return select.at.flatMap((address) => {
      const name = JSON.stringify(address)
      return then.get(name) ?? same.get(name) ?? []
    })
  }
  async function find(query: DocumentQuery, page?: DocumentPage): Promise<StoredDocument[]> {
    const { sort, limit = 0, offset = 0 } = page ?? {}
    const wider = sort && { sort, limit: offset + limit + differing.size }
    const today = await tx.documents(query, 'stored', wider)
    const same = today.filter((one) => !differing.has(one.id) && wasThere(one))
    const then: StoredDocument[] = []
    for (const one of differing.values()) if (await fitsThen(one, query)) then.push(one)
    const order = sort
      ? bySort(sort)
      : (a: StoredDocument, b: StoredDocument) => byAddress(a.address, b.address)
    return [...same, ...then].sort(order)
  }
  /** A file on disk without nodes is not among those that differ. */
  function wasThere({ address, createdAt }: StoredDocument): boolean {
    return address.kind !== 'source' || createdAt <= snapshot.createdAt
  }
  async function fitsThen(document: StoredDocument, query: DocumentQuery): Promise<boolean> {
    if (!fitsQuery(document, query)) return false
    if (query.hasNodes && (await sizeOf(document.id)).nodes === 0) return false
    return !query.words || hasWords(await wordsOf(document.id), query.words)
  }
  /** The same as it is now. */
  async function fitsNow(document: StoredDocument, query: DocumentQuery): Promise<boolean> {
    if (!fitsQuery(document, query)) return false
    const nodes = query.words || query.hasNodes ? await tx.nodes({ document: document.id }, 'stored') : []
    if (query.hasNodes && nodes.length === 0) return false
    return !query.words || hasWords(nodes.map(wordsOfNode), query.words)
  }
  /** Of all nodes that a document had. */
  async function wordsOf(document: number): Promise<IndexRow[]> {
    const today = (await tx.nodes({ document }, 'stored')).filter(({ key }) => !past.has(key))
    const were = (past.documents.get(document) ?? []).flatMap(({ was }) => was ?? [])
    return [...today.map(wordsOfNode), ...(await tree.words(were))]
  }
  async function sizeOf(id: number): Promise<{ nodes: number; tokens: number }> {
    const [today = { nodes: 0, tokens: 0 }] = await tx.documents({ ids: [id] }, 'size')
    let { nodes, tokens } = today
    for (const { was, now } of past.documents.get(id) ?? []) {
      nodes += Number(was !== null) - Number(now !== null)
      tokens += (was?.tokens ?? 0) - (now?.tokens ?? 0)
    }
    return { nodes, tokens }
  }
  async function textOf(document: StoredDocument): Promise<string | null> {
    const { id, textDigest } = document
    if (!view.changed.has(id)) return (await tx.documents({ ids: [id] }, 'text'))[0]?.text ?? null
    if (view.appended.has(id))
      return (await tx.documentVersions(id, { limit: 1, before: snapshot.id + 1 }))[0]?.text ?? null
    return textDigest === null ? null : ((await tx.texts([textDigest])).get(textDigest) ?? null)
  }
  /** Those that are as they are now are read together. */
  async function shapeAll<F extends DocumentFields>(
    documents: readonly StoredDocument[],
    fields: F,
    options: TextOptions,
  ): Promise<DocumentShapes[F][]> {
    const ids = documents.map(({ id }) => id).filter((id) => !differing.has(id))
    const same = ids.length === 0 ? [] : await tx.documents({ ids }, fields, options)
    const today = new Map(same.map((row) => [row.id, row]))
    return Promise.all(documents.map(async (one) => today.get(one.id) ?? shape(one, fields, options)))
  }
  async function shape<F extends DocumentFields>(
    document: StoredDocument,
    fields: F,
    { maxTextBytes = Number.POSITIVE_INFINITY }: TextOptions,
  ): Promise<DocumentShapes[F]> {
    const [row] = await tx.documents({ ids: [document.id] }, 'row')
    const read = fields === 'text' || fields === 'whole' ? await textOf(document) : null
    const text = read !== null && utf8Length(read) > maxTextBytes ? null : read
    const size = fields === 'size' ? await sizeOf(document.id) : {}
    return documentShapes[fields](document, { owner: row?.owner ?? '', text, ...size })
  }
  async function selected(select: DocumentSelect, page?: DocumentPage): Promise<StoredDocument[]> {
    if ('kind' in select) return find(select, page)
    if (!('ofNode' in select)) return pick(select)
    const [node] = await tree.byIds([select.ofNode])
    return node ? pick({ ids: [node.documentId], own: true }) : []
  }
  async function total(select: DocumentSelect): Promise<number> {
    if (!('kind' in select)) return (await selected(select)).length
    const [{ count } = { count: 0 }] = await tx.totals(select)
    const today = await tx.documents({ ids: [...differing.keys()] }, 'stored')
    let then = 0
    for (const now of today) then -= Number(await fitsNow(now, select))
    for (const was of differing.values()) then += Number(await fitsThen(was, select))
    return count + then
  }

  return {
    async documents<F extends DocumentFields>(
      select: DocumentSelect,
      fields: F,
      page: DocumentPage | TextOptions = {},
    ): Promise<Paged<DocumentShapes[F]>[]> {
      const paged = 'sort' in page && 'kind' in select ? page : undefined
      const found = await selected(select, paged)
      const { offset = 0, limit = found.length } = paged ?? {}
      const shown = await shapeAll(found.slice(offset, offset + limit), fields, page)
      if (!paged?.total || shown.length === 0) return shown
      const counted = await total(select)
      return shown.map((row) => Object.assign(row as object, { total: counted }) as Paged<DocumentShapes[F]>)
    },
    async totals(select, { by, bytes = false } = {}) {
      if (by !== undefined) return unsupported('totals by value')
      const found = bytes ? await selected(select) : []
      const texts = await Promise.all(found.map(textOf))
      const size = texts.reduce((sum, text) => sum + utf8Length(text ?? ''), 0)
      return [{ value: null, count: bytes ? found.length : await total(select), bytes: size }]
    },
    async fileEntries(memory, path, limit) {
      const query = { kind: 'file', memory, under: path } as const
      if (![...differing.values()].some(({ address }) => address.kind === 'file'))
        return tx.fileEntries(memory, path, limit)
      const entries = createFileEntries(path)
      for (const { address, attributes } of await find(query))
        if ('path' in address) entries.add(address.path, attributes?.folder === true)
      return entries.list().slice(0, limit)
    },
    documentVersions: (id, { limit, before = Number.MAX_SAFE_INTEGER }) =>
      tx.documentVersions(id, { limit, before: Math.min(before, snapshot.id + 1) }),
  }
}
