import type { Address } from '../model.ts'
import type { Row } from './rows.ts'

export const LINK_ORIGINS = ['parsed', 'manual'] as const
/** Who asks for a link: the text of a node, or somebody with `relate`. */
export type LinkOrigin = (typeof LINK_ORIGINS)[number]

export type LinkDirection = 'out' | 'in'

/** A link as it is stored. */
export interface StoredLink extends Row {
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

/** What may be read of links. */
export interface LinkFields {
  stored: StoredLink
  /** The nodes that it joins: numbers, since a walk takes many of them. */
  ends: Pick<StoredLink, 'id' | 'sourceKey' | 'targetKey' | 'origin' | 'place' | 'weight'>
}

/** Which links. */
export type LinkSelect = LinksFitting | LinksAt | LinkPage

/** Those that lead from (`out`) or to (`in`) these nodes, in no order but those of one node together; of each node's `newest` only. */
export interface LinksAt {
  direction: LinkDirection
  keys: readonly number[]
  newest: number
}

/** Those that are awake, and lead somewhere or wait for a target: by source, then by id. Costs the page. */
export interface LinkPage {
  pending: boolean
  after?: Pick<StoredLink, 'sourceKey' | 'id'>
  limit: number
}

/** Those that fit any of these; of one source and origin in the order of their places. All but `of` leave out those that are asleep. */
export interface LinksFitting {
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

/**
 * What decides where links lead, and by which names documents are found. Missing: nothing of that is asked. `linkAnswer` says what each
 * question means.
 */
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
  /** What these documents are called, what decides it, and the node that each begins with. */
  namesOf?: readonly number[]
}

export interface LinkAnswer {
  nodes: { id: string; key: number }[]
  documentsNamed: { name: string; isAlias: boolean; documentId: number }[]
  headingsNamed: NamedHeading[]
  /** Of every document that was asked for, or is named here. */
  places: { documentId: number; address: Address }[]
  /** Each once, in order. */
  headingsIn: { documentId: number; name: string }[]
  /** By id of the node. */
  marksIn: { documentId: number; key: number; text: string }[]
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

/** What of a document decides what links find it by, and where they lead. */
export interface DocumentNaming {
  documentId: number
  /** Null where its door has no paths: then it has no names. */
  path: string | null
  /** The node that it begins with: front matter only where there is nothing else. Null where it has no nodes. */
  root: number | null
  /** Texts of its front matter, and of the lists right below that: a long list of aliases is a node of its own. */
  front: string[]
  /** The names that are stored. */
  names: { name: string; isAlias: boolean }[]
}

export interface LinkReads {
  /** Each once. */
  links<F extends keyof LinkFields = 'stored'>(select: LinkSelect, fields?: F): Promise<LinkFields[F][]>
  /** At the cost of what it answers: a document may be large, a name may be frequent. */
  linkFacts(asked: LinkQuestion): Promise<LinkAnswer>
}
