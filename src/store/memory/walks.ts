import { byAddress } from '../../core/address.ts'
import type * as port from '../../core/port/nodes.ts'
import type { NodeRow } from '../../core/port/rows.ts'
import { by } from '../../util/text/order.ts'
import type { Sync } from '../tx.ts'
import { walkUp } from '../walk-up.ts'
import { childrenByParent, type FieldName, inOrder, selected, shown } from './nodes.ts'
import { pick, type Tables } from './tables.ts'

type Step = Pick<port.Walked<FieldName>, 'distance' | 'below' | 'following'> & { node: NodeRow }
type Start = Exclude<port.OutlineStart, { id: string }>

/** Live nodes as they stand now. */
export function treeOf(tables: Tables) {
  const children = childrenByParent(tables)

  /** Roots of all documents are in the order of those. */
  function siblings({ parentKey, documentId, after, before }: Start): NodeRow[] {
    const all = children.get(parentKey) ?? []
    const own = all.filter((node) => documentId === undefined || node.documentId === documentId)
    const order = parentKey === null ? rootOrder : inOrder
    const isIn = (node: NodeRow): boolean =>
      (!after || order(node, after) > 0) && (!before || order(node, before) < 0)
    return own.sort(order).filter(isIn)
  }
  function rootOrder(a: port.OutlinePlace, b: port.OutlinePlace): number {
    const [one, other] = pick(tables.documents, [a.documentId, b.documentId])
    return (one && other && byAddress(one.address, other.address)) || inOrder(a, b)
  }
  /** In document order, down to a depth. */
  function subtree(node: NodeRow, depth: number, distance = 0): Step[] {
    const below = distance < depth ? (children.get(node.key) ?? []) : []
    return [{ node, distance }, ...below.flatMap((child) => subtree(child, depth, distance + 1))]
  }
  /** The nearest first. */
  function down(first: NodeRow[], depth = Infinity): Step[] {
    return first.flatMap((node) => subtree(node, depth)).sort(by(({ distance }) => [distance]))
  }
  function addBelow(step: Step, { max, tokens }: port.Sizes): void {
    const below = down([step.node]).slice(1, max + 1)
    const sum = below.reduce((all, { node }) => all + node.tokens, 0)
    if (below.length > 0) step.below = { nodes: below.length, tokens: tokens ? sum : 0 }
  }
  function addFollowing(step: Step | undefined): void {
    if (!step || step.node.parentKey !== null) return
    const { parentKey, documentId } = step.node
    const [next] = siblings({ parentKey, documentId, after: step.node })
    if (next) step.following = next.id
  }
  return { siblings, subtree, down, addBelow, addFollowing }
}

export function up(tables: Tables, first: readonly NodeRow[]): Step[] {
  // Stored rows are never changed.
  const copied = (nodes: readonly NodeRow[]) => nodes.map((node) => ({ ...node, distance: 0 }))
  const found = walkUp(copied(first), (keys) => copied(selected(tables, { keys })))
  return found.map((node) => ({ node, distance: node.distance }))
}

export function walkReads(tables: Tables): Pick<Sync<port.NodeReads>, 'outline' | 'walk'> {
  function shownAll(steps: readonly Step[], fields: FieldName): never[] {
    return steps.flatMap(({ node, ...step }) => shown(tables, node, fields, step))
  }
  return {
    outline(from, { fields, limit, depth, backwards, sizes }) {
      const tree = treeOf(tables)
      const steps = from.flatMap((start) => {
        const { level = 0 } = start
        const deepest = backwards ? level : (depth ?? level)
        const first = 'id' in start ? selected(tables, { ids: [start.id] }) : tree.siblings(start)
        if (backwards) first.reverse()
        const found = first.flatMap((node) => tree.subtree(node, deepest, level))
        if ('id' in start) tree.addFollowing(found[0])
        return found
      })
      steps.splice(limit)
      if (sizes) for (const step of steps) if (step.distance === depth) tree.addBelow(step, sizes)
      return shownAll(steps, fields)
    },
    walk(from, { direction, fields, depth, limit = Infinity, sizes }) {
      const first = selected(tables, from)
      if (direction === 'up') return shownAll(up(tables, first), fields)
      const tree = treeOf(tables)
      const steps = tree.down(first, depth).slice(0, limit)
      const isCut = steps.length === limit || steps.at(-1)?.distance === depth
      if (steps[0] && sizes && isCut) tree.addBelow(steps[0], sizes)
      if (direction === 'down') return shownAll(steps, fields)
      tree.addFollowing(steps[0])
      const [, ...above] = up(tables, first).map((step) => ({ ...step, distance: -step.distance }))
      return shownAll([...above.reverse(), ...steps], fields)
    },
  }
}
