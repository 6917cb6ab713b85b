import type { Row } from './rows.ts'
export interface Heat {
  value: number
  pinned: boolean
}

/** Stored heat: the value that a node had when the heat clock was at `clock`. */
export interface HeatRecord extends Heat, Row {
  key: number
  clock: number
  accesses: number
  /** Milliseconds since 1970; null: never read. */
  accessedAt: number | null
  /** It was reported as cold and has not been warm since. */
  told: boolean
  /** Its place in the order of heat (`coldnessOf`); null for nodes that do not cool. */
  coldness: number | null
}

/** The clock by which all nodes cool. */
export interface HeatClock {
  clock: number
  /** Milliseconds since 1970. */
  tickedAt: number
  /** The clock is stopped. */
  frozen: boolean
  /** The threshold at which nodes were last reported as cold: a node warmed to it can be reported again. */
  coldBelow: number
}

/** A node by its id; a known key saves the lookup. */
export interface NodeName {
  id: string
  key?: number
}

/** A node was read `times` times, and is warmed by `by` in total. */
export interface Boost extends NodeName {
  by: number
  times: number
}

export interface TickInput {
  /** Milliseconds since 1970. */
  now: number
  /** How far the heat clock advances per hour: heat is multiplied by e to the minus this. */
  ratePerHour: number
  /** While false the clock is stopped; the time until the next tick with true does not count. */
  enabled: boolean
}
