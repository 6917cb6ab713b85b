import { type Edge, edgesAmong } from '../../links/edges.ts'
import type { LinkDirection, LinkOrigin } from '../../port/links.ts'
import type { ReadTx } from '../../port/store.ts'

/** The other end of an edge. */
export interface Neighbour {
  key: number
  weight: number
  /** `in`: the link leads from there to here. */
  direction: LinkDirection
  origin: LinkOrigin
}

export interface NeighboursInput {
  directions: readonly LinkDirection[]
  minWeight: number
}

/** For a node with many links only the newest count, this many in each direction. */
const LINKS_PER_NODE = 5000
/** Maximum number of edges to read. */
const EDGES = 100_000
const FIRST_BATCH = 16
const BATCH = 256

export type Neighbours = ReturnType<typeof createNeighbours>

/** Reads edges in growing batches: few are read needlessly, and a batch of busy nodes is bounded. */
export function createNeighbours(tx: ReadTx, { directions, minWeight }: NeighboursInput) {
  const loaded = new Map<number, Neighbour[]>()
  let size = FIRST_BATCH
  let read = 0
  let isComplete = true

  async function load(keys: number[]): Promise<void> {
    for (const key of keys) loaded.set(key, [])
    for (const direction of directions) {
      const links = await tx.links({ direction, keys, newest: LINKS_PER_NODE }, 'ends')
      const edges = edgesAmong(links, direction)
      read += edges.length
      for (const [key, own] of Map.groupBy(edges, nearEnd(direction))) add(key, own, direction)
    }
  }

  function add(key: number, edges: Edge[], direction: LinkDirection): void {
    if (edges.length >= LINKS_PER_NODE) isComplete = false
    const neighbours = loaded.get(key)
    for (const edge of edges) if (edge.weight >= minWeight) neighbours?.push(farEnd(edge, direction))
  }

  /** Neighbours of the node `key`; none if they were not read yet. */
  function known(key: number): readonly Neighbour[] {
    return loaded.get(key) ?? []
  }

  return {
    /**
     * Neighbours of the node `key`; there may be several edges between two nodes. `others`: nodes whose neighbours will
     * be needed soon.
     */
    async of(key: number, others: () => Iterable<number>): Promise<readonly Neighbour[]> {
      if (!loaded.has(key) && read < EDGES) {
        await load(firstUnknown(key, others(), loaded, size))
        size = Math.min(BATCH, size * 4)
      }
      if (!loaded.has(key)) isComplete = false
      return known(key)
    },
    known,
    /** False: there were more edges than the maximum to read. */
    isComplete: () => isComplete,
  }
}

const nearEnd =
  (direction: LinkDirection) =>
  ({ sourceKey, targetKey }: Edge): number =>
    direction === 'out' ? sourceKey : targetKey

function farEnd({ sourceKey, targetKey, weight, origin }: Edge, direction: LinkDirection): Neighbour {
  return { key: direction === 'out' ? targetKey : sourceKey, weight, direction, origin }
}

function firstUnknown(
  key: number,
  others: Iterable<number>,
  known: ReadonlyMap<number, unknown>,
  size: number,
): number[] {
  const keys = new Set([key])
  for (const other of others) {
    if (keys.size >= size) break
    if (!known.has(other)) keys.add(other)
  }
  return [...keys]
}
