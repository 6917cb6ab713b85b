import { given } from '../../util/given.ts'
import { by } from '../../util/text/order.ts'
import { byAddress } from '../address.ts'
import { type IndexRow, indexRow } from '../find/query/index-row.ts'
import type { Address } from '../model.ts'
import type { OutlinePlace, Siblings } from '../port/nodes.ts'
import type { NodeRow } from '../port/rows.ts'
import type { ReadTx } from '../port/store.ts'
import { keysOf, type SiblingsOf } from './past-nodes.ts'
import type { PastView } from './past-view.ts'

export const inOrder = by(({ position, key }: Pick<NodeRow, 'position' | 'key'>) => [position, key])

export type PastTree = ReturnType<typeof pastTree>

/** How many roots are read at once. */
const ROOTS = 512

/** The nodes at a snapshot: today's that did not change since, and the others as they were. */
export function pastTree(tx: ReadTx, { nodes: past, documents, changed, words }: PastView) {
  const isSame = ({ key }: { key: number }): boolean => !past.has(key)
  /** Documents with other roots or another address: they are put in their place one by one. */
  function apart(): ReadonlySet<number> {
    const isApart = (documentId: number): boolean =>
      changed.has(documentId) || past.differsIn({ parentKey: null, documentId })
    known ??= new Set([...documents.keys()].filter(isApart))
    return known
  }
  let known: ReadonlySet<number> | undefined

  /** In the given order, without those that did not exist. */
  async function byKeys(keys: readonly number[]): Promise<NodeRow[]> {
    const today = keys.filter((key) => !past.has(key))
    const found = today.length === 0 ? [] : await tx.nodes({ keys: today }, 'full')
    const rows = new Map<number, NodeRow>(found.map((row) => [row.key, row]))
    return keys.flatMap((key) => rows.get(key) ?? past.get(key)?.was ?? [])
  }
  async function byIds(ids: readonly string[]): Promise<NodeRow[]> {
    const found = (await tx.nodes({ ids }, 'full')).filter(isSame)
    const rows = new Map<string, NodeRow>(found.map((row) => [row.id, row]))
    return ids.flatMap((id) => rows.get(id) ?? past.findId(id) ?? [])
  }
  /** By parent, each list in order. */
  async function children(parents: readonly NodeRow[]): Promise<Map<number, NodeRow[]>> {
    const today = parents.length === 0 ? [] : await tx.nodes({ parents: keysOf(parents) }, 'full')
    const same = Map.groupBy(today.filter(isSame), ({ parentKey }) => parentKey)
    return new Map(
      parents.map(({ key, documentId }) => {
        const changed = past.childrenOf({ parentKey: key, documentId })
        return [key, [...(same.get(key) ?? []), ...changed].sort(inOrder)]
      }),
    )
  }
  /** Siblings after a place, or before it with the nearest first; roots of one document for null. */
  async function siblings(
    place: SiblingsOf,
    { after, before, backwards = false, limit }: Range & { backwards?: boolean; limit: number },
  ): Promise<NodeRow[]> {
    const { parentKey, documentId } = place
    const from = {
      ...(parentKey === null ? { parentKey, documentId } : { parentKey }),
      ...given({ after, before }),
    }
    const page = { fields: 'full', backwards, limit: limit + past.replacedIn(place) } as const
    const today = (await tx.outline([from], page)).filter(isSame)
    const isIn = (node: NodeRow): boolean =>
      (!after || inOrder(node, after) > 0) && (!before || inOrder(node, before) < 0)
    const changed = past.childrenOf({ parentKey, documentId }).filter(isIn)
    const order = (a: NodeRow, b: NodeRow): number => (backwards ? inOrder(b, a) : inOrder(a, b))
    return [...today, ...changed].sort(order).slice(0, limit)
  }
  /** Roots of all documents, in the order of the addresses they had. */
  async function roots(after: OutlinePlace | undefined, limit: number): Promise<NodeRow[]> {
    const ids = [...apart()]
    const own = await Promise.all(ids.map((documentId) => rootsOf({ parentKey: null, documentId }, after)))
    const others = await rootsOfOthers(after, limit)
    const addresses = await addressesOf([...own.flat(), ...others, ...(after ? [after] : [])])
    const order = (a: OutlinePlace, b: OutlinePlace): number => {
      const [one, other] = [addresses.get(a.documentId), addresses.get(b.documentId)]
      return (one && other && byAddress(one, other)) || inOrder(a, b)
    }
    const placed = own.flat().filter((node) => !after || order(node, after) > 0)
    return [...others, ...placed].sort(order).slice(0, limit)
  }
  /** All of a document that differs: those before `after` are sorted out by its address. */
  async function rootsOf(place: SiblingsOf, after: OutlinePlace | undefined): Promise<NodeRow[]> {
    const isSameDocument = after?.documentId === place.documentId
    return siblings(place, { after: isSameDocument ? after : undefined, limit: Number.MAX_SAFE_INTEGER })
  }
  /** Of documents with the roots and the address that they have today. */
  async function rootsOfOthers(after: OutlinePlace | undefined, limit: number): Promise<NodeRow[]> {
    const found: NodeRow[] = []
    for (let last = after; found.length < limit; ) {
      const from = { parentKey: null, ...(last && { after: last }) }
      const page = await tx.outline([from], {
        fields: 'full',
        limit: Math.min(ROOTS, limit + apart().size),
      })
      for (const row of page) if (!apart().has(row.documentId)) found.push(row)
      last = page.at(-1)
      if (!last) break
    }
    return found.slice(0, limit)
  }
  async function addressesOf(rows: readonly OutlinePlace[]): Promise<Map<number, Address>> {
    const ids = [...new Set(rows.map(({ documentId }) => documentId))]
    const found = await tx.documents({ ids }, 'row')
    return new Map(found.map(({ id, address }) => [id, documents.get(id)?.address ?? address]))
  }
  /** The nodes above some, each once: a damaged memory may lead in circles. */
  async function up(first: readonly NodeRow[]): Promise<{ node: NodeRow; distance: number }[]> {
    const seen = new Map<number, { node: NodeRow; distance: number }>()
    for (let level = first, distance = 0; level.length > 0; distance++) {
      for (const node of level) seen.set(node.key, { node, distance })
      const keys = new Set(level.flatMap(({ parentKey }) => parentKey ?? []))
      level = await byKeys([...keys].filter((key) => !seen.has(key)))
    }
    return [...seen.values()]
  }

  /** The words of nodes, in their order. */
  async function wordsOf(nodes: readonly NodeRow[]): Promise<IndexRow[]> {
    const same = nodes.filter(isSame)
    const today = same.length === 0 ? [] : await tx.nodes({ keys: keysOf(same) }, 'stored')
    const were = nodes.flatMap(({ key }) => past.get(key)?.was ?? [])
    const rows = await words.wordsOf(tx, were)
    for (const { key, type, label, text } of today) rows.set(key, indexRow({ type, label, text: text ?? '' }))
    return nodes.flatMap(({ key }) => rows.get(key) ?? [])
  }

  return {
    ...{ byKeys, byIds, children, up, words: wordsOf },
    /** Of a node, of a document or of all documents. */
    siblings(
      { parentKey, documentId, ...range }: Siblings & Range,
      page: { limit: number; backwards?: boolean },
    ) {
      if (parentKey === null && documentId === undefined) return roots(range.after, page.limit)
      return siblings({ parentKey, documentId: documentId ?? 0 }, { ...range, ...page })
    },
  }
}

interface Range {
  after?: OutlinePlace | undefined
  /** Only backwards. */
  before?: OutlinePlace | undefined
}
