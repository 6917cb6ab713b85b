import type { Address } from '../model.ts'
import type { Row } from './rows.ts'

export const LINK_ORIGINS = ['parsed', 'manual'] as const
/** Where a link comes from: the text of a node, or a call of `relate`. */
export type LinkOrigin = (typeof LINK_ORIGINS)[number]

export type LinkDirection = 'out' | 'in'

/** A stored link. */
export interface StoredLink extends Row {
  id: number
  sourceKey: number
  /** The document of the source. */
  documentId: number
  origin: LinkOrigin
  /** Among the links of the same node and origin. */
  place: number
  /** The target: `Link`, and `Wanted` with the names that find it after a change. */
  label: string
  source: string
  wantedId: string
  name: string
  file: string
  section: string
  weight: number
  /** Null while nothing matches. */
  targetKey: number | null
  /** A manual link whose source is removed; it becomes active again when the source returns. */
  asleep: boolean
  /** Milliseconds since 1970. */
  createdAt: number
}

/** What can be read of links. */
export interface LinkFields {
  stored: StoredLink
  /** The joined nodes, as numbers: a walk reads many of them. */
  ends: Pick<StoredLink, 'id' | 'sourceKey' | 'targetKey' | 'origin' | 'place' | 'weight'>
}

/** Selects links. */
export type LinkSelect = LinksFitting | LinksAt | LinkPage

/**
 * Links from (`out`) or to (`in`) these nodes, those of one node together, otherwise unordered; only the `newest` of
 * each node.
 */
export interface LinksAt {
  direction: LinkDirection
  keys: readonly number[]
  newest: number
}

/** Links that are not asleep, resolved or pending: by source, then by id. Costs the page. */
export interface LinkPage {
  pending: boolean
  after?: Pick<StoredLink, 'sourceKey' | 'id'>
  limit: number
}

/** Links that match any of these; those of one source and origin by place. Only `of` includes links that are asleep. */
export interface LinksFitting {
  /** Links of these nodes. */
  of?: readonly number[]
  /** Links of nodes of these documents. */
  inDocuments?: readonly number[]
  /** Links to one of these names, by label. */
  named?: readonly string[]
  /** Links to a file with one of these names. */
  toFiles?: readonly string[]
  /** Links to a section of a file with one of these names. */
  intoFiles?: readonly string[]
  /** Links to one of these sections, in any file. */
  toSections?: readonly string[]
  /** Links to a block of their own document, if that is one of these. */
  toOwnBlocksOf?: readonly number[]
  /** Links to one of these node ids. */
  toIds?: readonly string[]
  /** Links to `name`, as a file without a section or by label, that do not lead to `target`. */
  astray?: readonly { name: string; target: number | null }[]
}

/**
 * The facts that decide where links lead and by which names documents are found. Missing: not requested. `linkAnswer`
 * defines each field.
 */
export interface LinkQuestion {
  /** Live nodes by id. */
  nodes?: readonly string[]
  /** Documents with one of these names or aliases. */
  documentsNamed?: readonly string[]
  /** Live headings with one of these names. */
  headingsNamed?: readonly string[]
  /** The addresses of these documents. */
  places?: readonly number[]
  /** The names of these documents' headings. */
  headingsIn?: readonly number[]
  /** Live nodes of these documents whose text contains a `^`. */
  marksIn?: readonly number[]
  /** The names of these documents, what decides them, and each document's first node. */
  namesOf?: readonly number[]
}

export interface LinkAnswer {
  nodes: { id: string; key: number }[]
  documentsNamed: { name: string; isAlias: boolean; documentId: number }[]
  headingsNamed: NamedHeading[]
  /** Of every document that was requested or is named here. */
  places: { documentId: number; address: Address }[]
  /** Each once, sorted. */
  headingsIn: { documentId: number; name: string }[]
  /** By node id. */
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

/** The facts about a document that decide which names find it and where links to it lead. */
export interface DocumentNaming {
  documentId: number
  /** Null if its door has no paths: then it has no names. */
  path: string | null
  /** Its first node, front matter only if there is nothing else. Null if it has no nodes. */
  root: number | null
  /** Texts of its front matter and of the lists directly below it: a long list of aliases is a separate node. */
  front: string[]
  /** The stored names. */
  names: { name: string; isAlias: boolean }[]
}

export interface LinkReads {
  /** Each link once. */
  links<F extends keyof LinkFields = 'stored'>(select: LinkSelect, fields?: F): Promise<LinkFields[F][]>
  /** Costs what it returns: documents can be large and names frequent. */
  linkFacts(asked: LinkQuestion): Promise<LinkAnswer>
}
