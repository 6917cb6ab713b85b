import type { NodeType } from '../model.ts'
import type { Filters } from './query/query-model.ts'
import type { Part } from './rank.ts'

/** Of hits. */
export const MAX_LIMIT = 200

export interface SearchInput {
  query: string
  /** Hits at most. Default: 10, the last of them not far less relevant than the best. */
  limit?: number
  /** Hits to pass over: how one goes on. Default: 0. */
  offset?: number
  /** Tokens that the text of the answer may cost; 0 or missing: no limit. */
  budget?: number
  /** Show for each hit how its score came about. */
  explain?: boolean
}

export interface SearchHit {
  id: string
  type: NodeType
  label: string
  /** Of the file, or what stands in its place. */
  path: string
  /** Labels above it, from the root. */
  headingPath: string[]
  /** Of its text, around the words that were looked for; their places in it are `matches`. */
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
  /** For each unit what it adds, with the fields that have it. */
  parts: (Part & { unit: string })[]
  relevance: number
  /** By which heat multiplies it. */
  prior: number
}

/** What an answer is an answer to. */
export interface Searched {
  /** In the memory. */
  nodes: number
  /** Words and phrases that nodes were looked for by. */
  words: string[]
  /** Words that are too common to tell anything beside those. */
  dropped: string[]
  /** Words that no node has. */
  missing: string[]
  filters: Filters
  /** How many nodes have what was asked for; a lower bound unless `complete`. */
  matched: number
  complete: boolean
  /** What in the query could not be meant as it was written. */
  notes: string[]
}

export interface SearchAnswer {
  query: string
  hits: SearchHit[]
  /** Hits beyond those that are returned, and after them. */
  leftOut: number
  /** Pass as `offset` to go on; null where nothing more can be listed. */
  next: number | null
  /** The `offset`, where there are hits but none after it. */
  pastEnd?: number
  searched: Searched
}
