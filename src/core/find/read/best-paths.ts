import { createHeap, type Heap } from '../../../util/heap.ts'
import type { ReadTx } from '../../port/store.ts'
import { createNeighbours, type Neighbour, type Neighbours, type NeighboursInput } from './neighbours.ts'

/** A path, identified by its last node. */
export interface Step {
  key: number
  /** Number of edges from the start. */
  hop: number
  /** The total weight of its edges. */
  sum: number
  /** The last edge; none at the start. */
  edge: Neighbour | null
  before: Step | null
}

export interface PathsInput extends NeighboursInput {
  /** The key of a node. */
  start: number
  depth: number
}

export interface Paths {
  /** One for each node except the start. */
  found: Step[]
  /** False: there were more edges than the maximum to read. */
  isComplete: boolean
}

interface Waiting extends Step {
  /** Breaks ties. */
  place: number
}

/**
 * Every node within `depth` edges of the start, by its best path. Paths are extended heaviest first (then with fewer
 * hops, then to the older node) by every edge of their last node. The first to reach a node is that node's path. A
 * later one continues only if it has fewer hops, so that a heavy detour hides nothing within reach. No path returns to
 * one of its nodes: it would have more hops.
 */
export async function bestPaths(tx: ReadTx, { start, depth, ...bounds }: PathsInput): Promise<Paths> {
  const neighbours = createNeighbours(tx, bounds)
  const waiting = createHeap(isBefore)
  const fewestHops = new Map<number, number>()
  const found: Step[] = []
  let place = 0
  waiting.push({ key: start, hop: 0, sum: 0, edge: null, before: null, place })
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    const hops = fewestHops.get(step.key) ?? Infinity
    if (hops <= step.hop) continue
    fewestHops.set(step.key, step.hop)
    if (hops === Infinity && step.before) found.push(step)
    if (step.hop === depth) continue
    for (const edge of await neighbours.of(step.key, () => wantedSoon(waiting, neighbours, depth))) {
      const isFewer = step.hop + 1 < (fewestHops.get(edge.key) ?? Infinity)
      if (isFewer) waiting.push({ ...prolong(step, edge), place: ++place })
    }
  }
  return { found, isComplete: neighbours.isComplete() }
}

function prolong(before: Step, edge: Neighbour): Step {
  const { key, weight } = edge
  return { key, hop: before.hop + 1, sum: before.sum + weight, edge, before }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  if (a.sum !== b.sum) return a.sum > b.sum
  if (a.hop !== b.hop) return a.hop < b.hop
  return a.key === b.key ? a.place < b.place : a.key < b.key
}

/**
 * The nodes that will be needed soon: those waiting, and the known nodes behind them. Reading them together is cheaper.
 */
function* wantedSoon(waiting: Heap<Step>, { known }: Neighbours, depth: number): Generator<number> {
  for (const { key, hop } of waiting.items()) if (hop < depth) yield key
  for (const { key, hop } of waiting.items())
    if (hop + 1 < depth) for (const behind of known(key)) yield behind.key
}
