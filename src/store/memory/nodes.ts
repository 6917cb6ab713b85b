import { shownName } from '../../core/address.ts'
import { type IndexRow, indexRow } from '../../core/find/query/index-row.ts'
import type { Heat, HeatRecord } from '../../core/port/heat.ts'
import type * as port from '../../core/port/nodes.ts'
import { isLive, type NodeRow } from '../../core/port/rows.ts'
import type { VersionPut } from '../../core/port/write-set.ts'
import { coldnessOf } from '../../core/rows/coldness.ts'
import { heatNow } from '../../core/rows/heat.ts'
import { type NodeParts, nodeShapes } from '../../core/rows/node-shapes.ts'
import { by } from '../../util/text/order.ts'
import type { ContentSelect } from '../contents.ts'
import { keysIn, pick, rowsOf, type Tables } from './tables.ts'

export type FieldName = keyof port.NodeFields

const byKey = by(({ key }: NodeRow) => [key])
export const inOrder = by(({ position, key }: Pick<NodeRow, 'position' | 'key'>) => [position, key])

/** By key. */
export function liveNodes({ nodes }: Tables, documentId?: number): NodeRow[] {
  const isOwn = (node: NodeRow): boolean => documentId === undefined || node.documentId === documentId
  return rowsOf(nodes, (node) => isLive(node) && isOwn(node)).sort(byKey)
}

/** Live nodes by their parents, each in order; those at the top under null. */
export function childrenByParent(tables: Tables): Map<number | null, NodeRow[]> {
  return Map.groupBy(liveNodes(tables).sort(inOrder), ({ parentKey }) => parentKey)
}

/** What became of a node, oldest first. */
export function versionsOf({ versions }: Tables, node: number): VersionPut[] {
  return rowsOf(versions, ({ key }) => key === node).sort(by(({ snapshotId }) => [snapshotId]))
}

export function textOf({ texts }: Tables, digest: string | null): string | null {
  return texts.get(digest ?? '')?.text ?? null
}

/** The words that a node is found by. */
export function wordsOf(tables: Tables, { type, label, digest }: NodeRow): IndexRow {
  return indexRow({ type, label, text: textOf(tables, digest) ?? '' })
}

/** As it is now. */
export function heatOf({ heat, space }: Tables, key: number): Heat {
  const record = heat.get(key)
  return record ? { value: heatNow(record, space.heat), pinned: record.pinned } : { value: 0, pinned: false }
}

function partsOf(tables: Tables, node: NodeRow): NodeParts {
  const { key, documentId, parentKey, digest } = node
  const document = tables.documents.get(documentId)
  const overlay = tables.overlays.get(key)
  return {
    source: document ? shownName(document.address) : '',
    text: textOf(tables, digest),
    heat: tables.heat.get(key) as HeatRecord,
    temperature: heatOf(tables, key).value,
    overlay: overlay ? { operation: overlay.operation, base: overlay.base } : null,
    parentId: tables.nodes.get(parentKey ?? 0)?.id ?? null,
    children: rowsOf(tables.nodes, (one) => isLive(one) && one.parentKey === key).length,
    changedIn: versionsOf(tables, key).at(-1)?.snapshotId,
  }
}

/** One row, or none where the node is left out. */
export function shown(tables: Tables, node: NodeRow, fields: FieldName, step = {}): never[] {
  const row = nodeShapes[fields](node, partsOf(tables, node))
  return row ? [{ ...row, ...step } as never] : []
}

type Ordered<O> = Extract<port.OrderedNodes, { order: O }>

/** Those that cool have a coldness. */
function coldest(tables: Tables, select: Ordered<'coldest'>): NodeRow[] {
  const { below = Infinity, isNew = false } = 'unread' in select ? {} : select
  const bound = coldnessOf(below, tables.space.heat.clock)
  const records = rowsOf(
    tables.heat,
    ({ coldness, told }) => coldness !== null && coldness < bound && !(isNew && told),
  )
  const nodes = pick(tables.nodes, keysIn(records.sort(by(({ coldness, key }) => [coldness, key]))))
  if (!('unread' in select)) return nodes
  return nodes.slice(0, select.unread.lookedAt).filter((node) => isUnread(tables, node, select.unread))
}

function isUnread(tables: Tables, node: NodeRow, { tokens, since }: port.LongUnread): boolean {
  const accessedAt = tables.heat.get(node.key)?.accessedAt ?? 0
  const changed = tables.snapshots.get(versionsOf(tables, node.key).at(-1)?.snapshotId ?? 0)
  return node.tokens > tokens && accessedAt < since && (changed?.createdAt ?? since) < since
}

function warmest(tables: Tables, { limit, pinned, apart }: Ordered<'warmest'>): NodeRow[] {
  const heat = ({ key }: NodeRow): number => heatOf(tables, key).value
  const isAsked = ({ key }: NodeRow): boolean => pinned === undefined || heatOf(tables, key).pinned === pinned
  const nodes = liveNodes(tables)
    .filter(isAsked)
    .sort(by((node) => [-heat(node), -node.key]))
  const least = apart ? (nodes.slice(limit).map(heat)[0] ?? 0) : -1
  return nodes.filter((node) => heat(node) > least)
}

function inOrderOf(tables: Tables, select: port.OrderedNodes): NodeRow[] {
  if (select.order === 'coldest') return coldest(tables, select)
  if (select.order === 'warmest') return warmest(tables, select)
  const newest = rowsOf(tables.versions).sort(by(({ snapshotId, key }) => [-snapshotId, -key]))
  return pick(tables.nodes, new Set(keysIn(newest)))
}

type PageSelect = Extract<port.NodeSelect, { after: number }>

function pageOf({ nodes, versions }: Tables, select: PageSelect): NodeRow[] {
  const later = rowsOf(nodes, ({ key }) => key > select.after).sort(byKey)
  if ('removedAfter' in select)
    return later.filter(({ removedIn }) => removedIn !== null && removedIn > select.removedAfter)
  if (!('changedIn' in select)) return later.filter(isLive)
  const { since, until } = select.changedIn
  const changed = new Set(keysIn(rowsOf(versions, ({ snapshotId: id }) => id > since && id <= until)))
  return later.filter(({ key }) => changed.has(key))
}

/** As they were when they last had a text. */
function removedFrom(tables: Tables, document: number): NodeRow[] {
  const gone = rowsOf(
    tables.nodes,
    (node) => node.documentId === document && !isLive(node) && !tables.overlays.has(node.key),
  )
  return gone.sort(by(({ removedIn, key }) => [-(removedIn ?? 0), key])).flatMap((node) => {
    const last = versionsOf(tables, node.key).findLast(({ state }) => state !== null)?.state
    return last ? { ...node, ...last, label: node.label } : []
  })
}

type Select = port.NodeSelect | ContentSelect

export function selected(tables: Tables, select: Select): NodeRow[] {
  const { nodes, overlays } = tables
  if ('order' in select) return inOrderOf(tables, select).slice(0, select.limit)
  if ('after' in select) return pageOf(tables, select).slice(0, select.limit)
  if ('parents' in select) return pick(childrenByParent(tables), select.parents).flat()
  if ('removedFrom' in select) return removedFrom(tables, select.removedFrom)
  if ('guestsOf' in select) {
    const hosts = keysIn(liveNodes(tables, select.guestsOf))
    return rowsOf(nodes, (one) => one.documentId !== select.guestsOf && hosts.includes(one.parentKey ?? 0))
  }
  if ('document' in select) return liveNodes(tables, select.document).slice(0, select.limit)
  if ('contentOf' in select) {
    const own = rowsOf(nodes, ({ documentId }) => documentId === select.contentOf)
    return own.filter((node) => isLive(node) || overlays.has(node.key))
  }
  const byId = (): Map<string, NodeRow> => new Map(rowsOf(nodes).map((node) => [node.id, node]))
  const found = 'keys' in select ? pick(nodes, select.keys) : pick(byId(), select.ids)
  return found.filter((node) => select.removed || isLive(node))
}

export function nodeReads(tables: Tables) {
  return {
    nodes: (select: Select, fields: FieldName): never[] =>
      selected(tables, select).flatMap((node) => shown(tables, node, fields)),
    texts: (digests: readonly string[]): Map<string, string> =>
      new Map(pick(tables.texts, digests).map(({ digest, text }) => [digest, text])),
  }
}
