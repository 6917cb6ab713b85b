import type { Address, Format, NodeType } from '../model.ts'
import type { Attributes } from './doors.ts'
import type { HeatRecord } from './heat.ts'
import type { StoredLink } from './links.ts'
import type { DocumentState, NodeRow, Overlay } from './rows.ts'
import type { DocumentName } from './write-set.ts'

/** A document as it is stored, in any state. */
export interface StoredDocument {
  id: number
  address: Address
  state: DocumentState
  /** Of the text last put; null after an erasure, and when the document was changed by other means since. */
  digest: string | null
  /** Of its exact text; null where there is none, where that is lost, and where its versions are its text (`appended`). */
  textDigest: string | null
  /** Of its exact text, in UTF-8; only of records. */
  textBytes: number
  appended: boolean
  /** Null for files on disk and notes. */
  attributes: Attributes | null
  revision: number
  /** Milliseconds since 1970. */
  createdAt: number
  updatedAt: number
  accesses: number
  accessedAt: number | null
}

/** A node as it is stored, live or removed. */
export interface StoredNode {
  key: number
  id: string
  documentId: number
  parentKey: number | null
  position: string
  type: NodeType
  format: Format
  label: string
  /** What links find it by; null for anything but a live heading. */
  name: string | null
  tokens: number
  /** Of its text; null for a removed node. */
  digest: string | null
  /** What its text asks for (`encodeLinks`). */
  links: string | null
  /** Its share of the state digest; null for a removed node. */
  mark: bigint | null
  /** The snapshot that removed it; null for a live node. */
  removedIn: number | null
}

/** A stored node with what else changes when it does. */
export interface StoredNodeFacts extends StoredNode {
  /** Null for a removed node. */
  text: string | null
  heat: HeatRecord
  overlay: Overlay | null
  parentId: string | null
}

/** All that a change of documents builds on. Lists are in no particular order, unless they say otherwise. */
export interface DocumentContents {
  documents: StoredDocument[]
  /** Their live nodes, and those that only an overlay keeps away. */
  nodes: StoredNodeFacts[]
  /** Live nodes of other documents, right below one of them. */
  guests: StoredNodeFacts[]
  /** Their removed nodes whose last text has one of the digests, as they were with it, latest removal first. */
  removed: NodeRow[]
  /** Of their live nodes. */
  links: StoredLink[]
  /** What links find them by. */
  names: DocumentName[]
}
