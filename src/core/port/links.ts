import type { Link } from '../model.ts'

export const LINK_ORIGINS = ['parsed', 'manual'] as const
/** Who asks for a link: the text of a node, or somebody with `relate`. */
export type LinkOrigin = (typeof LINK_ORIGINS)[number]

/** A link with the nodes it joins. */
export interface LinkRow extends Link {
  sourceKey: number
  sourceId: string
  origin: LinkOrigin
  /** Among the links of the same node and origin. */
  place: number
  /** Null while the link is pending: nothing fits what it asks for. */
  targetKey: number | null
  targetId: string | null
}

/** Two nodes and how strongly they belong together: several links of one origin between them are one edge. */
export interface Edge {
  sourceKey: number
  targetKey: number
  weight: number
  origin: LinkOrigin
}

export interface EdgeRow extends Edge {
  sourceId: string
  targetId: string
}

export type LinkDirection = 'out' | 'in'

/** What `unrelate` takes away: a link by its target's id, or by its label and source. */
export type LinkTarget = { targetId: string } | { label: string; source: string }

export interface LinkReads {
  /** Edges that begin (`out`) or end (`in`) at one of `keys`, in no order; of each node's newest `perNode` links only. */
  edgesOf(keys: number[], direction: LinkDirection, perNode?: number): Promise<Edge[]>
  /** Every edge, by source, target and origin. */
  listEdges(page: {
    limit: number
    after?: Pick<EdgeRow, 'sourceKey' | 'targetKey' | 'origin'>
  }): Promise<EdgeRow[]>
  /** Links that wait for their target: by source key, those of the text first, each in their order. */
  listPending(page: {
    limit: number
    after?: Pick<LinkRow, 'sourceKey' | 'origin' | 'place'>
  }): Promise<LinkRow[]>
}

export interface LinkWrites {
  /** Adds a manual link, or gives it another weight, and looks for its target. */
  putManualLink(sourceKey: number, link: Link): Promise<LinkRow>
  /** Returns how many were taken away. */
  deleteManualLinks(sourceKey: number, target: LinkTarget): Promise<number>
}
