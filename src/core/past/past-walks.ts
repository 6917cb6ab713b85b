import type { NodeFields, NodeReads, Sizes, Walked } from '../port/nodes.ts'
import type { NodeRow } from '../port/rows.ts'
import type { PastTree } from './past-tree.ts'

type Step = Pick<Walked<keyof NodeFields>, 'distance' | 'below' | 'following'> & { node: NodeRow }

/** Gives nodes the shape that was asked for. */
export type ShapeNodes = <F extends keyof NodeFields>(
  nodes: readonly NodeRow[],
  fields: F,
) => Promise<NodeFields[F][]>

/** Outlines and walks over the nodes at a snapshot. */
export function pastWalks(tree: PastTree, shape: ShapeNodes): Pick<NodeReads, 'outline' | 'walk'> {
  async function shown<F extends keyof NodeFields>(steps: readonly Step[], fields: F): Promise<Walked<F>[]> {
    const rows = await shape(
      steps.map(({ node }) => node),
      fields,
    )
    return rows.map((row, at) => {
      const { node: _, ...step } = steps[at] as Step
      return Object.assign(row as object, step) as Walked<F>
    })
  }
  /** In document order, down to a level: the children of siblings are read together. */
  async function addSubtrees(
    steps: Step[],
    level: readonly NodeRow[],
    { distance, depth, limit }: { distance: number; depth: number; limit: number },
  ): Promise<void> {
    const first = level.slice(0, limit - steps.length)
    const below = distance < depth ? await tree.children(first) : undefined
    for (const node of first) {
      if (steps.length >= limit) return
      steps.push({ node, distance })
      const next = below?.get(node.key) ?? []
      if (next.length > 0) await addSubtrees(steps, next, { distance: distance + 1, depth, limit })
    }
  }
  /** The nearest first, in document order at equal distance. */
  async function down(first: readonly NodeRow[], depth: number, limit: number): Promise<Step[]> {
    const steps: Step[] = []
    for (let level = first, distance = 0; level.length > 0 && steps.length < limit; distance++) {
      for (const node of level.slice(0, limit - steps.length)) steps.push({ node, distance })
      if (distance === depth || steps.length === limit) break
      const below = await tree.children(level)
      level = level.flatMap(({ key }) => below.get(key) ?? [])
    }
    return steps
  }
  async function addBelow(step: Step, { max, tokens }: Sizes): Promise<void> {
    const [, ...below] = await down([step.node], Number.POSITIVE_INFINITY, max + 1)
    const sum = tokens ? below.reduce((all, { node }) => all + node.tokens, 0) : 0
    if (below.length > 0) step.below = { nodes: below.length, tokens: sum }
  }
  async function addFollowing(step: Step | undefined): Promise<void> {
    if (!step || step.node.parentKey !== null) return
    const { parentKey, documentId } = step.node
    const [next] = await tree.siblings({ parentKey, documentId, after: step.node }, { limit: 1 })
    if (next) step.following = next.id
  }
  return {
    async outline(from, { fields, limit, depth, backwards = false, sizes }) {
      const steps: Step[] = []
      for (const start of from) {
        if (steps.length >= limit) break
        const { level = 0 } = start
        const at = steps.length
        const first =
          'id' in start
            ? await tree.byIds([start.id])
            : await tree.siblings(start, { limit: limit - steps.length, backwards })
        const deepest = backwards ? level : (depth ?? level)
        await addSubtrees(steps, first, { distance: level, depth: deepest, limit })
        if ('id' in start) await addFollowing(steps[at])
      }
      if (sizes) {
        const deepest = steps.filter(({ distance }) => distance === depth)
        const below = await tree.children(deepest.map(({ node }) => node))
        for (const step of deepest)
          if ((below.get(step.node.key)?.length ?? 0) > 0) await addBelow(step, sizes)
      }
      return shown(steps, fields)
    },
    async walk(from, { direction, fields, depth = Number.POSITIVE_INFINITY, limit, sizes }) {
      const first = 'ids' in from ? await tree.byIds(from.ids) : await tree.byKeys(from.keys)
      if (direction === 'up') return shown(await tree.up(first), fields)
      const steps = await down(first, depth, limit ?? Number.MAX_SAFE_INTEGER)
      const [top] = steps
      const isCut = steps.length === limit || steps.at(-1)?.distance === depth
      if (top && sizes && isCut) await addBelow(top, sizes)
      if (direction === 'down') return shown(steps, fields)
      await addFollowing(top)
      const [, ...above] = await tree.up(first)
      const lines = above.map(({ node, distance }) => ({ node, distance: -distance }))
      return shown([...lines.reverse(), ...steps], fields)
    },
  }
}
