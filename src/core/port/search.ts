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
  /** Skipped unless one of these earlier postings, by its place, finds nothing. */
  ifNone?: number[]
  /** Skipped unless one of these earlier postings, by its place, finds more than is listed of it. */
  ifCut?: number[]
}

export interface PostingOptions {
  /** Of the counted postings the rarest are listed whole, as long as they have no more keys than this together. */
  room?: number
  /** Which of the nodes in whole lists pass these is part of the answer: the lists are the same. */
  filters?: Filters
  /** Where none of the counted postings has room: nodes that have all of them, then all but the most common, until there are `enough`. */
  together?: { enough: number; limit: number; filters: Filters }
}

export interface Postings {
  /** The number of nodes in the memory. */
  nodes: number
  /** One for each posting: keys newest first, and how many there are as far as that was counted. None where it was skipped. */
  found: { keys: number[]; count: number }[]
  /** Of the keys in complete lists, those that pass the given filters. Unordered. */
  passing?: number[]
  /** Where that was asked for and needed: the places of postings, and nodes that have all of them. */
  together?: { places: number[]; keys: number[] }[]
}

/** Nodes that are equal as far as words tell, and too many to look at. */
export interface Crowd {
  /** Newest first. */
  keys: number[]
  /** How many of them to take. */
  size: number
  /** So many of the hottest nodes of the memory come first, the hottest of them before the others. */
  hottest: number
  /** Then what this finds, then the rest; both oldest first. */
  preferred: Posting | undefined
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
   * Many words in one call. An engine over a network answers it in one round trip; postings that depend on others may be evaluated
   * there in any case, and left out of the answer.
   */
  postings(postings: readonly Posting[], options?: PostingOptions): Promise<Postings>
  /** Each of `keys` and of those taken from the crowd, with at most `reach` siblings on either side. */
  surroundings(keys: number[], reach: number, filters?: Filters, crowd?: Crowd): Promise<Surroundings>
  /** Those of the keys whose nodes pass; unordered. */
  passing(keys: number[], filters: Filters): Promise<number[]>
}
