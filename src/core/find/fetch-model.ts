import type { PlacedNode } from './node-line.ts'

export interface FetchInput {
  anchor: string
  /** Tokens of the answer as text (`fetchText`), from 50; 0 or missing: no limit. */
  budget?: number
  /** Levels below the anchor, at most 128. Default: 32. */
  depth?: number
}

export interface FetchedNode extends PlacedNode {
  text: string
  /** How many tokens of the text are missing at its end. */
  cut?: number
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

export interface FetchAnswer {
  anchor: string
  /** In document order. */
  nodes: FetchedNode[]
  leftOut: LeftOut
  /** The newest snapshot when this was read, 0 before the first: `expectedVersion` of a write that builds on it. */
  snapshotId: number
}

/** In one call. */
export const MAX_IDS = 256

export interface FetchBatchInput {
  ids: readonly string[]
  /** Tokens of the answer as text (`batchText`), from 50; 0 or missing: no limit. */
  budget?: number
}

export type BatchNode = Omit<FetchedNode, 'depth' | 'cut' | 'brief'>

export interface FetchBatchAnswer {
  /** In the order of `ids`, each once. */
  nodes: BatchNode[]
  notFound: string[]
  /** Nodes that there was no room for. */
  overBudget: string[]
  /** As in `FetchAnswer`. */
  snapshotId: number
}
