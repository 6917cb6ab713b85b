export interface Heat {
  value: number
  pinned: boolean
}

/** A node beside its heat, for answers about what is cold. */
export interface ColdRow {
  key: number
  id: string
  label: string
  source: string
  value: number
}

/** A node by its id; who knows its key too spares the engine from looking for it. */
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

export interface ColdPage {
  limit: number
  /** Only what has less heat. */
  below?: number
  /** Of the coldest `lookedAt` only those with more than `tokens` that nobody has read or changed since `since`. */
  unread?: { lookedAt: number; tokens: number; since: number }
}

export interface HeatReads {
  /** Live nodes that are not pinned, coldest first. Costs what it looks at. */
  coldest(page: ColdPage): Promise<ColdRow[]>
}

export interface HeatWrites {
  setHeat(keys: number[], heat: Partial<Heat>): Promise<void>
  /** Gives every live node of these documents this heat. Returns how many had another. */
  seedHeat(documentIds: number[], value: number): Promise<number>
  /** Warms live nodes that were read, up to 1, and counts the accesses. Other ids are passed over. */
  boost(boosts: Boost[], at: number): Promise<void>
  /** Lets time pass. Returns how many hours were charged. */
  tickHeat(input: TickInput): Promise<number>
  /**
   * Nodes below `below`, coldest first, each once: it must be warmed to what was `below` then, and fall again, to be
   * returned again. Costs what it returns.
   */
  takeNewlyCold(input: { below: number; limit: number }): Promise<ColdRow[]>
}
