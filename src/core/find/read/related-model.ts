import type { NodeType } from '../../model.ts'
import type { LinkDirection, LinkOrigin } from '../../port/links.ts'

export const RELATED_DIRECTIONS = ['out', 'in', 'both'] as const
export type RelatedDirection = (typeof RELATED_DIRECTIONS)[number]
export const MAX_HOPS = 5

export interface RelatedInput {
  /** The id of the node to begin at. */
  anchor: string
  /** `out`: where links lead to; `in`: where they come from. A path may mix the two with `both`, the default. */
  direction?: RelatedDirection
  /** Hops, from 1 to 5. Default: 1. */
  depth?: number
  /** Only edges with at least this weight. Default: 0. */
  minWeight?: number
  /** Tokens of the answer as text; 0: as many as it takes. Default: 1000. */
  budget?: number
  /** Nodes at most. Default: 100. */
  limit?: number
  /** Nodes to pass over: how one goes on. Default: 0. */
  offset?: number
}

/** One edge of a path, and the node it arrives at. */
export interface RelatedStep {
  id: string
  label: string
  weight: number
  /** `in`: the link leads against the way of the path. */
  direction: LinkDirection
  origin: LinkOrigin
}

export interface RelatedNode {
  id: string
  type: NodeType
  label: string
  /** The file, or what else its document is called. */
  path: string
  hop: number
  /** The weights of the path together. */
  weight: number
  temperature: number
  tokens: number
  /** There was not even room for a whole line: as text it is only its type, label and id. */
  brief?: boolean
  /** The way from the anchor to this node. */
  via: RelatedStep[]
}

export interface RelatedAnswer {
  anchor: string
  /** Heaviest path first; then the warmer, then the older. */
  related: RelatedNode[]
  /** Nodes that were found and had no room, after those that are there. */
  leftOut: number
  /** Pass as `offset` to go on; null at the end. */
  next: number | null
  /** The `offset`, where there are nodes but none after it. */
  pastEnd?: number
  /** False: there were more edges than are looked at. */
  isComplete: boolean
}
