import type { Expression, Filters, Unit } from '../find/query/query-model.ts'
import type { NodeFacts } from './nodes.ts'

/**
 * A condition on the index: units of a query and how they combine; `core/find/match.ts` defines it. The words of one
 * unit are all in the label, or all in the text.
 */
export interface Match {
  units: Unit[]
  expression: Expression
  /** Only in labels. */
  inLabel?: boolean
}

/** A lookup of live nodes. */
export interface Posting {
  /** Null: all nodes that pass the filters. */
  match: Match | null
  filters?: Filters
  /** The maximum number of keys to list. */
  limit: number
  /** If there are more: count them up to this number. Only without filters. */
  countTo?: number
}

export interface Postings {
  /** The number of nodes in the memory. */
  nodes: number
  /** One for each posting: keys, newest first, and the count as far as it was counted. */
  found: { keys: number[]; count: number }[]
  /** Of the keys in complete lists, those that pass the given filters. Unordered. */
  passing?: number[]
}

/** A node among its siblings. */
export interface Surrounding extends NodeFacts {
  parentKey: number | null
  /** Keys of the siblings before and after it, nearest first. */
  before: number[]
  after: number[]
  /** Those of them that are headings. */
  headings: number[]
}

export interface Surroundings {
  /** Unordered. */
  nodes: Surrounding[]
  /** For each ancestor, its parent; each once. */
  parents: Map<number, number | null>
  /** With filters: the siblings that pass, without the requested nodes. Unordered. */
  passing?: number[]
}

/** The reads of search. An engine finds the nodes that have words; it does not score. */
export interface SearchReads {
  /**
   * Looks up many words in one call. Of words with more nodes than their limit, the rarest are listed completely, as
   * long as they have at most `room` nodes together with all rarer ones. With `filters`, also returns which nodes of
   * complete lists pass; the lists stay the same.
   */
  postings(postings: readonly Posting[], room?: number, filters?: Filters): Promise<Postings>
  /** Each of `keys` with at most `reach` siblings on either side. */
  surroundings(keys: number[], reach: number, filters?: Filters): Promise<Surroundings>
}
