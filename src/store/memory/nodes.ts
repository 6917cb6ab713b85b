import { byAddress, shownName } from '../../core/address.ts'
import type { HeatRecord } from '../../core/port/heat.ts'
import type * as port from '../../core/port/nodes.ts'
import { isLive, type NodeRow } from '../../core/port/rows.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import { coldnessOf } from '../../core/write/coldness.ts'
import { heatNow } from '../../core/write/heat.ts'
import { by } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { pick, spaceOf, type Tables } from './tables.ts'

type FieldName = keyof port.NodeFields
type Children = Map<number | null, NodeRow[]>
type Row = port.Walked<FieldName>
interface Step extends Pick<Row, 'distance' | 'below' | 'following'> {
  node: NodeRow
}

const inOrder = by(({ position, key }: Pick<NodeRow, 'position' | 'key'>) => [position, key])
const byKey = by(({ key }: NodeRow) => [key])

/** By key. */
export function liveNodes({ nodes }: Tables, documentId?: number): NodeRow[] {
  const isOwn = (node: NodeRow): boolean => documentId === undefined || node.documentId === documentId
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

export function sourceOf({ documents }: Tables, { documentId }: NodeRow): string {
  return shownName((documents.get(documentId) as StoredDocument).address)
}

export function textOf({ texts }: Tables, digest: string | null): string | null {
  return texts.get(digest ?? '')?.text ?? null
}

export function briefNode(tables: Tables, node: NodeRow): port.BriefRow {
  const { key, id, type, label, tokens } = node
  return { key, id, type, label, tokens, temperature: heatOf(tables, key), source: sourceOf(tables, node) }
}

/** What is read of a node; undefined: it is left out. */
type Shapes = { [F in FieldName]: (tables: Tables, node: NodeRow) => port.NodeFields[F] | undefined }
const SHAPES: Shapes = {
  brief: briefNode,
  outline(tables, node) {
    const { documentId, parentKey, position } = node
    const children = liveNodes(tables).filter((one) => one.parentKey === node.key).length
    return { ...briefNode(tables, node), documentId, parentKey, position, children }
  },
  reading: (tables, node) => ({
    ...briefNode(tables, node),
    ...{ parentKey: node.parentKey, text: textOf(tables, node.digest) ?? '' },
  }),
  lineage: (_, { key, parentKey, position, label }) => ({ key, parentKey, position, label }),
  facts(tables, { key, type, tokens, documentId }) {
    return { key, type, tokens, documentId, temperature: heatOf(tables, key) }
  },
  heat(tables, node) {
    const { key, id, label } = node
    const { pinned, accesses } = recordOf(tables, node)
    return { key, id, label, value: heatOf(tables, key), pinned, accesses }
  },
  change(tables, { key, documentId }) {
    const [snapshot] = pick(tables.snapshots, [lastChange(tables, key)])
    return snapshot && { key, documentId, changedIn: snapshot.id }
  },
  text(tables, { key, digest }) {
    const text = textOf(tables, digest)
    return text === null ? undefined : { key, text }
  },
  full: (tables, node) => ({ ...node, overlay: tables.overlays.get(node.key) ?? null }),
  stored: (tables, node) => ({
    ...{
      ...node,
      overlay: tables.overlays.get(node.key) ?? null,
      text: textOf(tables, node.digest),
      heat: recordOf(tables, node),
    },
    parentId: tables.nodes.get(node.parentKey ?? 0)?.id ?? null,
  }),
  heatRecord: (tables, node) => ({ ...recordOf(tables, node), id: node.id }),
  id: (_, { key, id }) => ({ key, id }),
}

function recordOf({ heat }: Tables, { key }: NodeRow): HeatRecord {
  return heat.get(key) as HeatRecord
}

type PageSelect = Extract<port.NodeSelect, { after: number }>

function isMeant({ versions }: Tables, { key, removedIn }: NodeRow, select: PageSelect): boolean {
  if ('removedAfter' in select) return removedIn !== null && removedIn > select.removedAfter
  if (!('changedIn' in select)) return removedIn === null
  const { since, until } = select.changedIn
  return (versions.get(key) ?? []).some(({ snapshotId: id }) => id > since && id <= until)
}

/** The snapshot that made the newest version of a node; 0: none is known. */
function lastChange({ versions }: Tables, key: number): number {
  return versions.get(key)?.at(-1)?.snapshotId ?? 0
}

function isUnread(tables: Tables, node: NodeRow, { tokens, since }: port.LongUnread): boolean {
  const { accessedAt } = tables.heat.get(node.key) as HeatRecord
  const [changed] = pick(tables.snapshots, [lastChange(tables, node.key)])
  return node.tokens > tokens && (accessedAt ?? 0) < since && (changed?.createdAt ?? since) < since
}

/** Those that cool have a coldness. */
function coolingNodes(tables: Tables, below: number, isNew: boolean): NodeRow[] {
  const bound = coldnessOf(below, spaceOf(tables).heat.clock)
  const records = [...tables.heat.values()].filter(
    ({ coldness, told }) => coldness !== null && coldness < bound && !(isNew && told),
  )
  records.sort(by(({ coldness, key }) => [coldness, key]))
  return pick(
    tables.nodes,
    records.map(({ key }) => key),
  )
}

function inOrderOf(tables: Tables, select: port.OrderedNodes): NodeRow[] {
  const { order, limit } = select
  if (order === 'coldest') {
    if (!('unread' in select))
      return coolingNodes(tables, select.below ?? Infinity, select.isNew ?? false).slice(0, limit)
    const coldest = coolingNodes(tables, Infinity, false).slice(0, select.unread.lookedAt)
    return coldest.filter((node) => isUnread(tables, node, select.unread)).slice(0, limit)
  }
  if (order === 'changed') {
    const changed = [...tables.nodes.values()].filter(({ key }) => lastChange(tables, key) > 0)
    return changed.sort(by(({ key }) => [-lastChange(tables, key), -key])).slice(0, limit)
  }
  const { pinned, apart } = select
  const heat = ({ key }: NodeRow): number => heatOf(tables, key)
  const isPinned = ({ key }: NodeRow): boolean => tables.heat.get(key)?.pinned === true
  const asked = liveNodes(tables).filter((node) => pinned === undefined || isPinned(node) === pinned)
  const nodes = asked.sort(by((node) => [-heat(node), -node.key]))
  const least = apart ? (nodes.slice(limit).map(heat)[0] ?? 0) : -1
  return nodes.slice(0, limit).filter((node) => heat(node) > least)
}

function selected(tables: Tables, select: port.NodeSelect): NodeRow[] {
  if ('order' in select) return inOrderOf(tables, select)
  const all = [...tables.nodes.values()]
  const isWanted = (node: NodeRow): boolean => ('removed' in select && select.removed) || isLive(node)
  if ('keys' in select) return pick(tables.nodes, select.keys).filter(isWanted)
  if ('ids' in select) return pick(new Map(all.map((node) => [node.id, node])), select.ids).filter(isWanted)
  if ('parents' in select) return pick(childrenByParent(tables), select.parents).flat()
  if ('lastTexts' in select) return removedWith(tables, select.document, new Set(select.lastTexts))
  if ('guestsOf' in select) {
    const isHost = (key: number | null): boolean => {
      const [host] = pick(tables.nodes, [key ?? 0])
      return host?.documentId === select.guestsOf && isLive(host)
    }
    return all.filter((node) => node.documentId !== select.guestsOf && isHost(node.parentKey))
  }
  if ('after' in select) {
    const later = all.filter((node) => node.key > select.after && isMeant(tables, node, select))
    return later.sort(byKey).slice(0, select.limit)
  }
  if ('limit' in select) return liveNodes(tables, select.document).slice(0, select.limit)
  const isThere = (node: NodeRow): boolean => isLive(node) || tables.overlays.has(node.key)
  return all.filter((node) => node.documentId === select.document && isThere(node))
}

export function nodeReads(tables: Tables): Sync<port.NodeReads> {
  function shown(steps: readonly Step[], fields: FieldName): Row[] {
    return steps.flatMap(({ node, ...step }) => {
      const row = SHAPES[fields](tables, node)
      return row ? [{ ...row, ...step }] : []
    })
  }
  /** Roots of all documents are in the order of those. */
  function siblings(start: port.Siblings & { after?: port.OutlinePlace }, children: Children): NodeRow[] {
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
    const add = (node: NodeRow, distance: number): void => {
      if (steps.length >= page.limit) return
      steps.push({ node, distance })
      if (distance >= depth || backwards) return
      for (const child of children.get(node.key) ?? []) add(child, distance + 1)
    }
    const first = 'id' in start ? selected(tables, { ids: [start.id] }) : siblings(start, children)
    for (const node of backwards ? first.reverse() : first) add(node, level)
    return steps
  }
  function down(first: NodeRow[], children: Children, depth = Infinity, limit = Infinity): Step[] {
    const steps: Step[] = first.map((node) => ({ node, distance: 0 }))
    for (let at = 0; at < steps.length && steps.length < limit; at++) {
      const { node, distance } = steps[at] as Step
      const below = distance < depth ? (children.get(node.key) ?? []) : []
      steps.push(...below.map((child) => ({ node: child, distance: distance + 1 })))
    }
    return steps.slice(0, limit)
  }
  /** A damaged memory may lead in circles. */
  function up(first: NodeRow[]): Step[] {
    const seen = new Map<number, Step>()
    for (let [level, distance] = [first, 0]; level.length > 0; distance++) {
      for (const node of level) seen.set(node.key, { node, distance })
      const keys = new Set(level.flatMap(({ parentKey }) => parentKey ?? []))
      level = selected(tables, { keys: [...keys].filter((key) => !seen.has(key)) })
    }
    return [...seen.values()]
  }
  function addBelow(step: Step, { max, tokens }: port.Sizes, children: Children): void {
    const [, ...below] = down([step.node], children, Infinity, max + 1)
    const sum = below.reduce((all, { node }) => all + node.tokens, 0)
    if (below.length > 0) step.below = { nodes: below.length, tokens: tokens ? sum : 0 }
  }
  function addFollowing(step: Step | undefined, children: Children): void {
    if (!step || step.node.parentKey !== null) return
    const { documentId } = step.node
    const [next] = siblings({ parentKey: null, documentId, after: step.node }, children)
    if (next) step.following = next.id
  }

  function outline(from: readonly port.OutlineStart[], page: port.OutlinePage<FieldName>): Row[] {
    const children = childrenByParent(tables)
    const steps: Step[] = []
    for (const start of from) {
      const found = outlined(start, { ...page, limit: page.limit - steps.length }, children)
      if ('id' in start) addFollowing(found[0], children)
      steps.push(...found)
    }
    const { sizes, depth } = page
    if (sizes) for (const step of steps) if (step.distance === depth) addBelow(step, sizes, children)
    return shown(steps, page.fields)
  }
  function walk(
    from: port.WalkFrom,
    { direction, fields, depth, limit, sizes }: port.Walk<FieldName>,
  ): Row[] {
    const first = selected(tables, from)
    if (direction === 'up') return shown(up(first), fields)
    const children = childrenByParent(tables)
    const steps = down(first, children, depth, limit)
    const isCut = steps.length === limit || steps.at(-1)?.distance === depth
    if (steps[0] && sizes && isCut) addBelow(steps[0], sizes, children)
    if (direction === 'down') return shown(steps, fields)
    addFollowing(steps[0], children)
    const above = up(first).slice(1).reverse()
    return shown([...above.map(({ node, distance }) => ({ node, distance: -distance })), ...steps], fields)
  }
  return {
    nodes: (select, fields) =>
      selected(tables, select).flatMap((node) => (SHAPES[fields](tables, node) ?? []) as never[]),
    outline: outline as Sync<port.NodeReads>['outline'],
    walk: walk as Sync<port.NodeReads>['walk'],
    texts: (digests) =>
      new Map(digests.flatMap((digest) => pick(tables.texts, [digest]).map(({ text }) => [digest, text]))),
  }
}

/** As they were when they last had a text. */
function removedWith(tables: Tables, documentId: number, digests: ReadonlySet<string>): NodeRow[] {
  const gone = [...tables.nodes.values()].filter(
    (node) => node.documentId === documentId && !isLive(node) && !tables.overlays.has(node.key),
  )
  return gone.sort(by(({ removedIn, key }) => [-(removedIn ?? 0), key])).flatMap((node) => {
    const last = tables.versions.get(node.key)?.findLast(({ state }) => state !== null)?.state
    if (!last || !digests.has(last.digest)) return []
    return [{ ...node, ...last, label: node.label }]
  })
}
