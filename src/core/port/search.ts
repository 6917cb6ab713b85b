import type { Expression, Filters, Unit } from '../find/query/query-model.ts'
import type { NodeFacts } from './nodes.ts'

/**
 * What to look for in the index: units of a query and how they come together. `core/find/match-words.ts` says what that means; all words of
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
  /** How many nodes there are in the memory. */
  nodes: number
  /** One for each posting: keys newest first, and how many there are as far as that was counted. None where it was skipped. */
  found: { keys: number[]; count: number }[]
  /** Of all keys in lists that are whole, those that pass the filters that were given for them. In no particular order. */
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
   * Many words in one call. An engine over a network answers it in one round trip; postings that depend on others may be evaluated
   * there in any case, and left out of the answer.
   */
  postings(postings: readonly Posting[], options?: PostingOptions): Promise<Postings>
  /** Each of `keys` and of those taken from the crowd, with at most `reach` siblings on either side. */
  surroundings(keys: number[], reach: number, filters?: Filters, crowd?: Crowd): Promise<Surroundings>
}
