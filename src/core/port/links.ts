import type { Address, Link } from '../model.ts'

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

/** A link as it is stored. */
export interface StoredLink {
  id: number
  sourceKey: number
  /** That the source is in. */
  documentId: number
  origin: LinkOrigin
  /** Among the links of the same node and origin. */
  place: number
  /** What it asks for: `Link`, and `Wanted` with what it is found by when something changes. */
  label: string
  source: string
  wantedId: string
  name: string
  file: string
  section: string
  weight: number
  /** Null while nothing fits what it asks for. */
  targetKey: number | null
  /** Made by hand, and its source is removed: it wakes when the source comes back. */
  asleep: boolean
  /** Milliseconds since 1970. */
  createdAt: number
}

/** Links that fit any of these. All but `of` leave out those that are asleep. */
export interface LinkSelect {
  /** Of these nodes. */
  of?: readonly number[]
  /** Of nodes of these documents. */
  inDocuments?: readonly number[]
  /** That ask for one of these names, by label. */
  named?: readonly string[]
  /** That ask for a file of one of these names. */
  toFiles?: readonly string[]
  /** That ask for a section of a file of one of these names. */
  intoFiles?: readonly string[]
  /** That ask for one of these sections, of any file. */
  toSections?: readonly string[]
  /** That ask for a block of their own document, which is one of these. */
  toOwnBlocksOf?: readonly number[]
  /** That ask for a node by one of these ids. */
  toIds?: readonly string[]
  /** That ask for `name`, as a file without a section or by label, and lead elsewhere than to `target`. */
  astray?: readonly { name: string; target: number | null }[]
}

/** What decides where links lead, and by which names documents are found. Missing: nothing of that is asked. */
export interface LinkQuestion {
  /** Live nodes by id. */
  nodes?: readonly string[]
  /** Documents that have one of these names, or aliases. */
  documentsNamed?: readonly string[]
  /** Live headings that have one of these names. */
  headingsNamed?: readonly string[]
  /** Where these documents are. */
  places?: readonly number[]
  /** Names of these documents' headings. */
  headingsIn?: readonly number[]
  /** Live nodes of these documents whose text has a `^` in it. */
  marksIn?: readonly number[]
  /** The node that each of these documents begins with: front matter only where there is nothing else. */
  rootsOf?: readonly number[]
  /** What these documents are called, and what decides it. */
  namesOf?: readonly number[]
}

export interface LinkAnswer {
  nodes: { id: string; key: number }[]
  documentsNamed: { name: string; isAlias: boolean; documentId: number }[]
  headingsNamed: NamedHeading[]
  /** Of every document that was asked for, or is named here. */
  places: { documentId: number; address: Address; shown: string }[]
  /** Each once, in order. */
  headingsIn: { documentId: number; name: string }[]
  /** By id of the node. */
  marksIn: { documentId: number; key: number; text: string }[]
  rootsOf: { documentId: number; key: number }[]
  namesOf: DocumentNaming[]
}

export interface NamedHeading {
  name: string
  key: number
  id: string
  documentId: number
  /** How many nodes are above it. */
  depth: number
}

/** What of a document decides what links find it by. */
export interface DocumentNaming {
  documentId: number
  /** Null where its door has no paths: then it has no names. */
  path: string | null
  /** Its first root, and the lists right below it: a long list of aliases is a node below the front matter. */
  root: { type: string; text: string; lists: string[] } | null
  /** The names that are stored. */
  names: { name: string; isAlias: boolean }[]
}

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
  /** Each once; those of one source and origin in the order of their places. */
  links(select: LinkSelect): Promise<StoredLink[]>
  /** At the cost of what it answers: a document may be large, a name may be frequent. */
  linkFacts(asked: LinkQuestion): Promise<LinkAnswer>
}
