import type { Touch } from './port/doors.ts'
import type { Boost } from './port/heat.ts'
import type { Operation } from './port/store.ts'

/** Warms nodes that were read, and counts the accesses. */
export const boostNodes: Operation<{ boosts: Boost[]; at: number }, void> = {
  name: 'boost',
  run: (tx, { boosts, at }) => tx.boost(boosts, at),
}

/** The same for documents that were asked for through their doors. */
export const touchDocuments: Operation<{ touches: Touch[]; warming: { at: number; by: number } }, void> = {
  name: 'touch',
  run: (tx, { touches, warming }) => tx.touchDocuments(touches, warming),
}
