import { byAddress, shownName } from '../../core/address.ts'
import type { HeatRecord } from '../../core/port/heat.ts'
import type * as port from '../../core/port/nodes.ts'
import type { DocumentNodeRow } from '../../core/port/rows.ts'
import type { StoredDocument, StoredNode, StoredNodeFacts } from '../../core/port/stored.ts'
import { heatNow } from '../../core/write/heat.ts'
import { by } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { pick, spaceOf, type Tables } from './tables.ts'

type FieldName = keyof port.NodeFields
type Children = Map<number | null, StoredNode[]>
type Row = port.Walked<FieldName>
interface Step {
  node: StoredNode
  distance: number
}

const inOrder = by(({ position, key }: Pick<StoredNode, 'position' | 'key'>) => [position, key])
const byKey = by(({ key }: StoredNode) => [key])

export function isLive({ removedIn }: StoredNode): boolean {
  return removedIn === null
}

/** By key. */
export function liveNodes({ nodes }: Tables, documentId?: number): StoredNode[] {
  const isOwn = (node: StoredNode): boolean => documentId === undefined || node.documentId === documentId
  return [...nodes.values()].filter((node) => isLive(node) && isOwn(node)).sort(byKey)
}

/** Live nodes by their parents, each in order; those at the top under null. */
export function childrenByParent(tables: Tables): Children {
  return Map.groupBy(liveNodes(tables).sort(inOrder), ({ parentKey }) => parentKey)
}

export function heatOf(tables: Tables, key: number): number {
  const record = tables.heat.get(key)
  return record ? heatNow(record, spaceOf(tables).heat) : 0
}

export function sourceOf({ documents }: Tables, { documentId }: StoredNode): string {
  return shownName((documents.get(documentId) as StoredDocument).address)
}

export function textOf({ texts }: Tables, digest: string | null): string | null {
  return texts.get(digest ?? '')?.text ?? null
}

export function fullNode(tables: Tables, node: StoredNode): DocumentNodeRow {
  const { name: _, mark: __, removedIn, ...row } = node
  const overlay = tables.overlays.get(node.key) ?? null
  return { ...row, digest: node.digest ?? '', live: removedIn === null, overlay }
}

export function briefNode(tables: Tables, node: StoredNode): port.BriefRow {
  const { key, id, type, label, tokens } = node
  return { key, id, type, label, tokens, temperature: heatOf(tables, key), source: sourceOf(tables, node) }
}

/** What is read of a node; undefined: it is left out. */
type Shapes = { [F in FieldName]: (tables: Tables, node: StoredNode) => port.NodeFields[F] | undefined }
const SHAPES: Shapes = {
  brief: briefNode,
  outline(tables, node) {
    const { documentId, parentKey, position } = node
    const children = liveNodes(tables).filter((one) => one.parentKey === node.key).length
    return { ...briefNode(tables, node), documentId, parentKey, position, children }
  },
  reading(tables, node) {
    const text = textOf(tables, node.digest) ?? ''
    return { ...briefNode(tables, node), parentKey: node.parentKey, text }
  },
  lineage: (_, { key, parentKey, position, label }) => ({ key, parentKey, position, label }),
  facts(tables, { key, type, tokens, documentId }) {
    return { key, type, tokens, documentId, temperature: heatOf(tables, key) }
  },
  heat(tables, { key, id, label }) {
    const { pinned, accesses } = tables.heat.get(key) as HeatRecord
    return { key, id, label, value: heatOf(tables, key), pinned, accesses }
  },
  text(tables, { key, digest }) {
    const text = textOf(tables, digest)
    return text === null ? undefined : { key, text }
  },
  full: fullNode,
}

function selected(tables: Tables, select: port.NodeSelect): StoredNode[] {
  if ('ids' in select) return pick(new Map(liveNodes(tables).map((node) => [node.id, node])), select.ids)
  if ('keys' in select)
    return pick(tables.nodes, select.keys).filter((node) => select.removed || isLive(node))
  if ('parents' in select) return pick(childrenByParent(tables), select.parents).flat()
  if ('document' in select)
    return [...tables.nodes.values()].filter(
      (node) => node.documentId === select.document && (isLive(node) || tables.overlays.has(node.key)),
    )
  const after = liveNodes(tables).filter(({ key }) => key > select.after)
  return after.slice(0, select.limit)
}

export function nodeReads(tables: Tables): Sync<port.NodeReads> {
  function shown({ node, distance }: Step, fields: FieldName): Row[] {
    const row = SHAPES[fields](tables, node)
    return row ? [{ ...row, distance }] : []
  }
  /** Roots of all documents are in the order of those. */
  function siblings(start: port.Siblings & { after?: port.OutlinePlace }, children: Children): StoredNode[] {
    const { parentKey, documentId, after } = start
    const all = children.get(parentKey) ?? []
    const own = documentId === undefined ? all : all.filter((node) => node.documentId === documentId)
    const order = parentKey === null && documentId === undefined ? rootOrder : inOrder
    return own.toSorted(order).filter((node) => !after || order(node, after) > 0)
  }
  function rootOrder(a: port.OutlinePlace, b: port.OutlinePlace): number {
    const [one, other] = pick(tables.documents, [a.documentId, b.documentId])
    return (one && other && byAddress(one.address, other.address)) || inOrder(a, b)
  }
  function outlined(
    start: port.OutlineStart,
    page: Omit<port.OutlinePage<FieldName>, 'fields'>,
    children: Children,
  ): Step[] {
    const { level = 0 } = start
    const { depth = level, backwards = false } = page
    const steps: Step[] = []
    const add = (node: StoredNode, distance: number): void => {
      if (steps.length >= page.limit) return
      steps.push({ node, distance })
      if (distance >= depth || backwards) return
      for (const child of children.get(node.key) ?? []) add(child, distance + 1)
    }
    const first = 'id' in start ? selected(tables, { ids: [start.id] }) : siblings(start, children)
    for (const node of backwards ? first.reverse() : first) add(node, level)
    return steps
  }
  function down(first: StoredNode[], children: Children, depth = Infinity, limit = Infinity): Step[] {
    const steps: Step[] = first.map((node) => ({ node, distance: 0 }))
    for (let at = 0; at < steps.length && steps.length < limit; at++) {
      const { node, distance } = steps[at] as Step
      const below = distance < depth ? (children.get(node.key) ?? []) : []
      steps.push(...below.map((child) => ({ node: child, distance: distance + 1 })))
    }
    return steps.slice(0, limit)
  }
  /** A damaged memory may lead in circles. */
  function up(first: StoredNode[]): Step[] {
    const seen = new Map<number, Step>()
    for (let [level, distance] = [first, 0]; level.length > 0; distance++) {
      for (const node of level) seen.set(node.key, { node, distance })
      const keys = new Set(level.flatMap(({ parentKey }) => parentKey ?? []))
      level = selected(tables, { keys: [...keys].filter((key) => !seen.has(key)) })
    }
    return [...seen.values()]
  }
  function addBelow(row: Row, { max, tokens }: port.Sizes, children: Children): void {
    const [, ...below] = down(pick(tables.nodes, [keyOf(row)]), children, Infinity, max + 1)
    const sum = below.reduce((all, { node }) => all + node.tokens, 0)
    if (below.length > 0) row.below = { nodes: below.length, tokens: tokens ? sum : 0 }
  }
  function addFollowing(row: Row | undefined, children: Children): void {
    const [node] = row ? pick(tables.nodes, [keyOf(row)]) : []
    if (!row || !node || node.parentKey !== null) return
    const [next] = siblings({ parentKey: null, documentId: node.documentId, after: node }, children)
    if (next) row.following = next.id
  }

  function outline(from: readonly port.OutlineStart[], page: port.OutlinePage<FieldName>): Row[] {
    const children = childrenByParent(tables)
    const rows: Row[] = []
    for (const start of from) {
      const steps = outlined(start, { ...page, limit: page.limit - rows.length }, children)
      const found = steps.flatMap((step) => shown(step, page.fields))
      if ('id' in start) addFollowing(found[0], children)
      rows.push(...found)
    }
    const { sizes, depth } = page
    if (sizes) for (const row of rows) if (row.distance === depth) addBelow(row, sizes, children)
    return rows
  }
  function walk(
    from: port.WalkFrom,
    { direction, fields, depth, limit, sizes }: port.Walk<FieldName>,
  ): Row[] {
    const first = selected(tables, from)
    if (direction === 'up') return up(first).flatMap((step) => shown(step, fields))
    const children = childrenByParent(tables)
    const rows = down(first, children, depth, limit).flatMap((step) => shown(step, fields))
    const isCut = rows.length === limit || rows.at(-1)?.distance === depth
    if (rows[0] && sizes && isCut) addBelow(rows[0], sizes, children)
    if (direction === 'down') return rows
    addFollowing(rows[0], children)
    const above = up(first).slice(1).reverse()
    return [...above.flatMap(({ node, distance }) => shown({ node, distance: -distance }, fields)), ...rows]
  }
  return {
    nodes: (select, fields) =>
      selected(tables, select).flatMap((node) => (SHAPES[fields](tables, node) ?? []) as never[]),
    outline: outline as Sync<port.NodeReads>['outline'],
    walk: walk as Sync<port.NodeReads>['walk'],
    storedNodes: (select) =>
      'keys' in select
        ? pick(tables.nodes, select.keys).map((node) => storedNode(tables, node))
        : [...tables.nodes.values()]
            .filter(({ id }) => select.ids.includes(id))
            .map((node) => storedNode(tables, node)),
    usedIds(ids) {
      const used = new Set([...tables.nodes.values()].map(({ id }) => id))
      return ids.filter((id) => used.has(id))
    },
    texts: (digests) =>
      new Map(digests.flatMap((digest) => pick(tables.texts, [digest]).map(({ text }) => [digest, text]))),
  }
}

function keyOf(row: object): number {
  return (row as { key: number }).key
}

export function storedNode(tables: Tables, node: StoredNode): StoredNodeFacts {
  const heat = tables.heat.get(node.key) as HeatRecord
  const overlay = tables.overlays.get(node.key) ?? null
  const parentId = tables.nodes.get(node.parentKey ?? 0)?.id ?? null
  return { ...node, text: textOf(tables, node.digest), heat, overlay, parentId }
}
