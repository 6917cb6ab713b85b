import type { AsOf, MaybePast } from '../../port/history.ts'
import type { PlacedNode } from '../node-line.ts'

export interface FetchInput extends AsOf {
  anchor: string
  /** Tokens of the answer as text (`fetchText`), from 50; 0 or missing: no limit. */
  budget?: number
  /** Levels below the anchor, at most 128. Default: 32. */
  depth?: number
  /** If not everything fits: returns a page in document order, with `next`. Default: the nearest nodes. */
  isPaged?: boolean
  /** `next` of the previous page. */
  after?: string
}

export interface FetchedNode extends PlacedNode {
  text: string
  /** How many tokens are missing at the end of the text. */
  cut?: number
  /** How many characters of the text were on earlier pages. */
  from?: number
}

/** What did not fit, and what is deeper than requested. */
export interface LeftOut {
  above: number
  below: number
  tokens: number
  /** There may be more below than was counted. */
  isMore: boolean
  /** The nearest one below, to continue with; null if none was read. */
  next: string | null
}

/** The end of a page in document order. */
export interface FetchPageEnd {
  /** Depth of the topmost node; of the anchor, if the page begins in the middle. */
  topDepth: number
  /** Pass as `after` for the next page; null at the end. */
  next: string | null
  /** At the end, if some nodes have more below them than requested: a `depth` that shows more. */
  deeper: number | null
}

/** Omitted nodes below are counted up to this number. */
export const MAX_COUNT = 1000

export interface FetchAnswer extends MaybePast {
  anchor: string
  /** In document order. */
  nodes: FetchedNode[]
  leftOut: LeftOut
  /** Only for a page. */
  page?: FetchPageEnd
  /** At the end, if the anchor is at the top of its document: the next root. Missing if nodes did not fit. */
  nextInDocument?: string
  /** The newest snapshot at the time of the read, 0 before the first: `expectedVersion` for a write based on it. */
  snapshotId: number
}

/** In one call. */
export const MAX_IDS = 256

export interface FetchBatchInput extends AsOf {
  ids: readonly string[]
  /** Tokens of the answer as text (`batchText`), from 50; 0 or missing: no limit. */
  budget?: number
  /** If not even one node fits: returns the beginning of the first one, and `next`. */
  isPaged?: boolean
}

export type BatchNode = Omit<FetchedNode, 'depth' | 'brief' | 'from'>

export interface FetchBatchAnswer extends MaybePast {
  /** In the order of `ids`, each once. */
  nodes: BatchNode[]
  notFound: string[]
  /** Nodes that did not fit. */
  overBudget: string[]
  /** If only the beginning of the first node fitted: `after` for the fetch that continues. */
  next: string | null
  /** As in `FetchAnswer`. */
  snapshotId: number
}
