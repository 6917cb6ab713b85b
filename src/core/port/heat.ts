import type { Row } from './rows.ts'
export interface Heat {
  value: number
  pinned: boolean
}

/** Heat as it is stored: the value that a node had when the heat clock stood at `clock`. */
export interface HeatRecord extends Heat, Row {
  key: number
  clock: number
  accesses: number
  /** Milliseconds since 1970; null: nobody has read it. */
  accessedAt: number | null
  /** It was reported as cold and has not been warm since. */
  told: boolean
  /** Its place in the order of heat (`coldnessOf`); null for what does not cool. */
  coldness: number | null
}

/** The one clock by which all nodes cool. */
export interface HeatClock {
  clock: number
  /** Milliseconds since 1970. */
  tickedAt: number
  /** It stands still. */
  frozen: boolean
  /** Below which heat nodes were last reported as cold: one that is warmed to it can be reported again. */
  coldBelow: number
}

/** A node by its id; with its key, if that is known, it need not be looked for. */
export interface NodeName {
  id: string
  key?: number
}

/** A node was read `times` times, and is warmed by `by` altogether. */
export interface Boost extends NodeName {
  by: number
  times: number
}

export interface TickInput {
  /** Milliseconds since 1970. */
  now: number
  /** By how much the heat clock advances in an hour: e to the minus this is what heat is multiplied by. */
  ratePerHour: number
  /** While false the clock stands still; the time until the next tick with true does not count either. */
  enabled: boolean
}
