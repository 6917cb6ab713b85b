import { createNumberMap, type NumberMap } from '../../util/number-map.ts'
import { createNumberSet, type NumberSet } from '../../util/number-set.ts'
import { plural } from '../../util/text/units.ts'
import type { ScannedNode } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { type DoctorTools, fail, pass, type RowChecks } from './check.ts'
import { changeNodeRows } from './node-rows.ts'
import { remark } from './state-digest.ts'

/** Which nodes are live, and below which others. */
export interface Places {
  live: NumberSet
  /** Of live nodes that are no roots. */
  parents: NumberMap
}

export function createPlaces(): Places {
  return { live: createNumberSet(), parents: createNumberMap() }
}

export function seePlace(
  { live, parents }: Places,
  { key, parentKey, removedIn }: Pick<ScannedNode, 'key' | 'parentKey' | 'removedIn'>,
): void {
  if (removedIn !== null) return
  live.add(key)
  if (parentKey !== null) parents.set(key, parentKey)
}

/** Every live node is below a live one or a root, and no node is its own ancestor. */
export function parentChecks(): RowChecks {
  const places = createPlaces()
  return {
    see: { nodes: (row) => seePlace(places, row) },
    findings: {
      orphan_parent_id() {
        const count = findOrphans(places).length
        return count === 0
          ? pass('no orphans')
          : fail(`${plural(count, 'node references', 'nodes reference')} a missing parent_id`)
      },
      unreachable_nodes() {
        const circles = findCircles(places)
        if (circles.length === 0) return pass('every node is below a root')
        return fail(
          `${plural(countBelow(places, circles), 'node is', 'nodes are')} below no root: ${plural(circles.length, 'circle')} of parents`,
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
 * The lowest key of each circle. Somewhere a circle goes up from a key to one that is not lower: only such nodes, few in
 * most memories, need to be followed. No node is followed twice.
 */
export function findCircles({ live, parents }: Places): number[] {
  const settled = createNumberSet()
  const lowest: number[] = []
  for (const [start, parent] of parents.entries()) {
    if (parent < start) continue
    const way = new Set<number>()
    let key: number | undefined = start
    for (; isOpen(key, live, settled) && !way.has(key); key = parents.get(key)) way.add(key)
    for (const passed of way) settled.add(passed)
    if (key === undefined || !way.has(key)) continue
    const steps = [...way]
    lowest.push(steps.slice(steps.indexOf(key)).reduce((low, member) => Math.min(low, member)))
  }
  return lowest
}

/** A live node that nothing was found out about yet. */
function isOpen(key: number | undefined, live: NumberSet, known: NumberSet): key is number {
  return key !== undefined && live.has(key) && !known.has(key)
}

/** How many nodes have a circle above them, those in it included. */
export function countBelow({ live, parents }: Places, circles: readonly number[]): number {
  const [below, clear] = [createNumberSet(), createNumberSet()]
  for (const start of circles)
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

/** They become roots. */
export const healOrphans = (tx: WriteTx, tools: DoctorTools): Promise<void> => uproot(tx, tools, findOrphans)

/** One node of each circle, the oldest, becomes a root. */
export const healCircles = (tx: WriteTx, tools: DoctorTools): Promise<void> => uproot(tx, tools, findCircles)

async function uproot(tx: WriteTx, tools: DoctorTools, find: (places: Places) => number[]): Promise<void> {
  const places = createPlaces()
  for await (const page of pagesOf(tx, 'nodes')) for (const row of page) seePlace(places, row)
  await changeNodeRows(tx, find(places), (before) => ({ ...before, parentKey: null }))
  await remark(tx, tools)
}
