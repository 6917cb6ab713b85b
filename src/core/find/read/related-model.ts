import type { NodeType } from '../../model.ts'
import type { LinkDirection, LinkOrigin } from '../../port/links.ts'

export const RELATED_DIRECTIONS = ['out', 'in', 'both'] as const
export type RelatedDirection = (typeof RELATED_DIRECTIONS)[number]
export const MAX_HOPS = 5

export interface RelatedInput {
  /** The id of the start node. */
  anchor: string
  /** `out`: the targets of links; `in`: their sources. With `both`, the default, a path may mix the two. */
  direction?: RelatedDirection
  /** Hops, from 1 to 5. Default: 1. */
  depth?: number
  /** Only edges with at least this weight. Default: 0. */
  minWeight?: number
  /** Tokens of the answer as text; 0: no limit. Default: 1000. */
  budget?: number
  /** Maximum number of nodes. Default: 100. */
  limit?: number
  /** Nodes to skip, for paging. Default: 0. */
  offset?: number
}

/** One edge of a path, and the node it reaches. */
export interface RelatedStep {
  id: string
  label: string
  weight: number
  /** `in`: the link points against the path. */
  direction: LinkDirection
  origin: LinkOrigin
}

export interface RelatedNode {
  id: string
  type: NodeType
  label: string
  /** The name of its document. */
  path: string
  hop: number
  /** The total weight of the path. */
  weight: number
  temperature: number
  tokens: number
  /** Not even a whole line fitted: as text it has only its type, label and id. */
  brief?: boolean
  /** The path from the anchor to this node. */
  via: RelatedStep[]
}

export interface RelatedAnswer {
  anchor: string
  /** Heaviest path first; then the warmer, then the older. */
  related: RelatedNode[]
  /** How many found nodes after these did not fit. */
  leftOut: number
  /** Pass as `offset` to continue; null at the end. */
  next: number | null
  /** The `offset`, if it is past the end. */
  pastEnd?: number
  /** False: there were more edges than the maximum to read. */
  isComplete: boolean
}
