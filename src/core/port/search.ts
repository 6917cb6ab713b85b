import type { Expression, Filters, Unit } from '../find/query/query-model.ts'
import type { NodeFacts } from './nodes.ts'

/**
 * What to look for in the index: units of a query and how they come together. `core/find/match.ts` says what that means; all words of
 * one unit are in the label, or all in the text.
 */
export interface Match {
  units: Unit[]
  expression: Expression
  /** Only in labels. */
  inLabel?: boolean
}

/** Live nodes to look for. */
export interface Posting {
  /** Null: all that pass the filters. */
  match: Match | null
  filters?: Filters
  /** The most keys to list. */
  limit: number
  /** Where there are more: count them up to here. Only without filters. */
  countTo?: number
}

export interface Postings {
  /** How many nodes there are in the memory. */
  nodes: number
  /** One for each posting: keys newest first, and how many there are as far as that was counted. */
  found: { keys: number[]; count: number }[]
  /** Of all keys in lists that are whole, those that pass the filters that were given for them. In no particular order. */
  passing?: number[]
}

/** A node among its siblings. */
export interface Surrounding extends NodeFacts {
  parentKey: number | null
  /** Keys of the siblings before it and after it, nearest first. */
  before: number[]
  after: number[]
  /** Those of them that are headings. */
  headings: number[]
}

export interface Surroundings {
  /** In no particular order. */
  nodes: Surrounding[]
  /** For everything above them, what stands above it; each once. */
  parents: Map<number, number | null>
  /** Where filters were given: the siblings that pass, without those that were asked for themselves. In no particular order. */
  passing?: number[]
}

/** What search asks of an engine. Scores are not its business: it says which nodes have which words. */
export interface SearchReads {
  /**
   * Many words in one call. Of those with more nodes than their limit the rarest are listed whole, as long as they have no more
   * than `room` together with all that are rarer. With `filters`, which of the nodes in whole lists pass: the lists are the same.
   */
  postings(postings: readonly Posting[], room?: number, filters?: Filters): Promise<Postings>
  /** Each of `keys` with at most `reach` siblings on either side. */
  surroundings(keys: number[], reach: number, filters?: Filters): Promise<Surroundings>
}
