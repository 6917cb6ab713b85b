/** Heat as it is now: what a node had, cooled by how far the heat clock went since. */
export interface ColdRow {
  key: number
  id: string
  label: string
  source: string
  value: number
}

export interface TickInput {
  /** Milliseconds since 1970. */
  now: number
  /** By how much the heat clock advances in an hour: e to the minus this is what heat is multiplied by. */
  ratePerHour: number
  /** While false the clock stands still; the time until the next tick with true does not count either. */
  enabled: boolean
}

export interface HeatReads {
  /** Live nodes that are not pinned and have less than `below`, coldest first. Costs what it returns. */
  coldest(page: { below: number; limit: number }): Promise<ColdRow[]>
}

export interface HeatWrites {
  /** Warms nodes that were read, each by its own amount, capped at 1; counts the access. Unknown keys are passed over. */
  boost(boosts: { key: number; by: number }[], at: number): Promise<void>
  /** Lets time pass. Returns the hours by which the clock went on. */
  tickHeat(input: TickInput): Promise<number>
  /**
   * Nodes that fell below `below` since they were last at or above it, coldest first, each once: it must rise to
   * `below` and fall again to be returned again.
   */
  takeNewlyCold(input: { below: number; limit: number }): Promise<ColdRow[]>
  /** Gives every live node of these documents this heat. Returns how many. */
  seedHeat(documentIds: number[], value: number): Promise<number>
}
