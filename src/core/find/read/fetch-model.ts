import type { PlacedNode } from '../node-line.ts'

export interface FetchInput {
  anchor: string
  /** Tokens of the answer as text (`fetchText`), from 50; 0 or missing: no limit. */
  budget?: number
  /** Levels below the anchor, at most 128. Default: 32. */
  depth?: number
  /** Where there is no room for all: a page in document order, and `next` goes on. Default: the nodes that are nearest. */
  isPaged?: boolean
  /** `next` of the page before. */
  after?: string
}

export interface FetchedNode extends PlacedNode {
  text: string
  /** How many tokens of the text are missing at its end. */
  cut?: number
  /** How many characters of the text an earlier page had. */
  from?: number
}

/** What there was no room for, and what is deeper than was asked. */
export interface LeftOut {
  above: number
  below: number
  tokens: number
  /** There may be more below than was counted. */
  isMore: boolean
  /** The nearest one below, to go on with; null where none was looked at. */
  next: string | null
}

/** How a page in document order ends. */
export interface FetchPageEnd {
  /** Depth of the topmost node; of a page that begins in the middle, of the anchor. */
  topDepth: number
  /** Pass as `after` for the next page; null at the end. */
  next: string | null
  /** At the end, where some nodes have more below them than was asked for: a `depth` that shows more. */
  deeper: number | null
}

/** Nodes left out below are counted up to here. */
export const MAX_COUNT = 1000

export interface FetchAnswer {
  anchor: string
  /** In document order. */
  nodes: FetchedNode[]
  leftOut: LeftOut
  /** Only of a page. */
  page?: FetchPageEnd
  /** At the end, where the anchor is at the top of its document: what follows it there. Missing where nodes had no room. */
  nextInDocument?: string
  /** The newest snapshot when this was read, 0 before the first: `expectedVersion` of a write that builds on it. */
  snapshotId: number
}

/** In one call. */
export const MAX_IDS = 256

export interface FetchBatchInput {
  ids: readonly string[]
  /** Tokens of the answer as text (`batchText`), from 50; 0 or missing: no limit. */
  budget?: number
  /** Where not even one node has room, the beginning of the first one is there, and `next`. */
  isPaged?: boolean
}

export type BatchNode = Omit<FetchedNode, 'depth' | 'brief' | 'from'>

export interface FetchBatchAnswer {
  /** In the order of `ids`, each once. */
  nodes: BatchNode[]
  notFound: string[]
  /** Nodes that there was no room for. */
  overBudget: string[]
  /** Where not even one node had room and only the beginning of the first is there: `after` of the fetch that goes on. */
  next: string | null
  /** As in `FetchAnswer`. */
  snapshotId: number
}
