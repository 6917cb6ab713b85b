import { createNumberMap, type NumberMap } from '../../util/number-map.ts'
import { createNumberSet, type NumberSet } from '../../util/number-set.ts'
import { plural } from '../../util/text/units.ts'
import type { ScannedNode } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { type DoctorTools, fail, pass, type RowChecks } from './check.ts'
import { changeNodeRows } from './node-rows.ts'
import { remark } from './state-digest.ts'

/** Which nodes are live, and their parents. */
export interface Places {
  live: NumberSet
  /** Of live nodes that are not roots. */
  parents: NumberMap
}

export function createPlaces(): Places {
  return { live: createNumberSet(), parents: createNumberMap() }
}

export function addPlace(
  { live, parents }: Places,
  { key, parentKey, removedIn }: Pick<ScannedNode, 'key' | 'parentKey' | 'removedIn'>,
): void {
  if (removedIn !== null) return
  live.add(key)
  if (parentKey !== null) parents.set(key, parentKey)
}

/** Checks that every live node is a root or below a live node, and that no node is its own ancestor. */
export function parentChecks(): RowChecks {
  const places = createPlaces()
  return {
    see: { nodes: (row) => addPlace(places, row) },
    findings: {
      orphan_parent_id() {
        const count = findOrphans(places).length
        return count === 0
          ? pass('no orphans')
          : fail(`${plural(count, 'node references', 'nodes reference')} a missing parent_id`)
      },
      unreachable_nodes() {
        const cycles = findCycles(places)
        if (cycles.length === 0) return pass('every node is below a root')
        return fail(
          `${plural(countBelow(places, cycles), 'node is', 'nodes are')} below no root: ${plural(cycles.length, 'cycle')} of parents`,
        )
      },
    },
  }
}

export function findOrphans({ live, parents }: Places): number[] {
  const orphans: number[] = []
  for (const [key, parent] of parents.entries()) if (!live.has(parent)) orphans.push(key)
  return orphans
}

/**
 * The lowest key of each cycle. Every cycle has a node whose parent has no lower key: only such nodes, few in most
 * memories, are followed. No node is followed twice.
 */
export function findCycles({ live, parents }: Places): number[] {
  const visited = createNumberSet()
  const lowest: number[] = []
  for (const [start, parent] of parents.entries()) {
    if (parent < start) continue
    const way = new Set<number>()
    let key: number | undefined = start
    for (; isOpen(key, live, visited) && !way.has(key); key = parents.get(key)) way.add(key)
    for (const passed of way) visited.add(passed)
    if (key === undefined || !way.has(key)) continue
    const steps = [...way]
    lowest.push(steps.slice(steps.indexOf(key)).reduce((low, member) => Math.min(low, member)))
  }
  return lowest
}

/** A live node that was not visited yet. */
function isOpen(key: number | undefined, live: NumberSet, known: NumberSet): key is number {
  return key !== undefined && live.has(key) && !known.has(key)
}

/** How many nodes are in a cycle or below one. */
export function countBelow({ live, parents }: Places, cycles: readonly number[]): number {
  const [below, clear] = [createNumberSet(), createNumberSet()]
  for (const start of cycles)
    for (let key: number | undefined = start; key !== undefined && !below.has(key); key = parents.get(key))
      below.add(key)
  for (const [start] of parents.entries()) {
    const way: number[] = []
    let key: number | undefined = start
    for (; isOpen(key, live, clear) && !below.has(key); key = parents.get(key)) way.push(key)
    const isBelow = key !== undefined && below.has(key)
    for (const passed of way) (isBelow ? below : clear).add(passed)
  }
  return below.size()
}

/** Orphans become roots. */
export const healOrphans = (tx: WriteTx, tools: DoctorTools): Promise<void> =>
  makeRoots(tx, tools, findOrphans)

/** The oldest node of each cycle becomes a root. */
export const healCycles = (tx: WriteTx, tools: DoctorTools): Promise<void> => makeRoots(tx, tools, findCycles)

async function makeRoots(tx: WriteTx, tools: DoctorTools, find: (places: Places) => number[]): Promise<void> {
  const places = createPlaces()
  for await (const page of pagesOf(tx, 'nodes')) for (const row of page) addPlace(places, row)
  await changeNodeRows(tx, find(places), (before) => ({ ...before, parentKey: null }))
  await remark(tx, tools)
}
