import type { NodeType } from '../model.ts'
import type { AsOf, MaybePast } from '../port/history.ts'
import type { Filters } from './query/query-model.ts'
import type { Part } from './rank.ts'

/** Maximum number of hits. */
export const MAX_LIMIT = 200

export interface SearchInput extends AsOf {
  query: string
  /** Maximum number of hits. Default: 10, without hits far less relevant than the best. */
  limit?: number
  /** Hits to skip, for paging. Default: 0. */
  offset?: number
  /** Maximum tokens of the answer as text; 0 or missing: no limit. */
  budget?: number
  /** Explain the score of each hit. */
  explain?: boolean
}

export interface SearchHit {
  id: string
  type: NodeType
  label: string
  /** The name of its document. */
  path: string
  /** Labels of its ancestors, from the root. */
  headingPath: string[]
  /** The part of its text around the query's words; their positions in it are `matches`. */
  snippet: string
  matches: [start: number, end: number][]
  score: number
  temperature: number
  tokens: number
  /** Parts of it were left out to fit the budget. */
  cut?: boolean
  explain?: Explanation
}

export interface Explanation {
  /** What each unit adds, with the fields that have it. */
  parts: (Part & { unit: string })[]
  relevance: number
  /** The factor of heat. */
  prior: number
}

/** What was searched for. */
export interface Searched {
  /** In the memory. */
  nodes: number
  /** Words and phrases that were searched for. */
  words: string[]
  /** Words that are too common to matter beside those. */
  dropped: string[]
  /** Words that no node has. */
  missing: string[]
  filters: Filters
  /** How many nodes match; a lower bound unless `complete`. */
  matched: number
  complete: boolean
  /** Parts of the query that are not valid as written. */
  notes: string[]
}

export interface SearchAnswer extends MaybePast {
  query: string
  hits: SearchHit[]
  /** Hits after those that are returned. */
  leftOut: number
  /** Pass as `offset` to continue; null if no more can be listed. */
  next: number | null
  /** The `offset`, if it is past the end. */
  pastEnd?: number
  searched: Searched
}
