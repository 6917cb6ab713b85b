import type { Touch } from '../port/doors.ts'
import type { Boost } from '../port/heat.ts'
import type { Operation } from '../port/store.ts'
import { boostHeat, touchDocuments } from '../rows/heat.ts'

/** Warms nodes that were read, and counts the accesses. */
export const boostNodes: Operation<{ boosts: Boost[]; at: number }, void> = {
  name: 'boost',
  run: (tx, { boosts, at }) => boostHeat(tx, boosts, at),
}

/** The same for documents that were accessed through their doors. */
export const touchAll: Operation<{ touches: Touch[]; warming: { at: number; by: number } }, void> = {
  name: 'touch',
  run: (tx, { touches, warming }) => touchDocuments(tx, touches, warming),
}
