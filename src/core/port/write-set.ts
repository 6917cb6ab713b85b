import type { IndexRow } from '../find/index-row.ts'
import type { Address, Format, NodeState, NodeType, Op } from '../model.ts'
import type { ChangeKind } from './change-feed.ts'
import type { Attributes, Touch } from './doors.ts'
import type { HeatClock, HeatRecord } from './heat.ts'
import type { SpaceState } from './history.ts'
import type { DocumentState, Overlay, SnapshotRow } from './rows.ts'

/** What a write builds on. Nobody else writes as long as the transaction lasts, so the numbers are its own to use. */
export interface WriteBase extends Pick<SpaceState, 'head' | 'heat'> {
  /** Never that of an earlier snapshot. */
  nextSnapshotId: number
  /** From here on no node has, or had in what is left of history, any key. */
  nextNodeKey: number
  /** From here on no document has, or had, any id. */
  nextDocumentId: number
  /** Of the state: the sum of the marks of all live nodes, modulo 2^64. */
  digest: bigint
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
}

/** A row that replaces another one; null: there was none. */
export interface NodePut {
  before: StoredNode | null
  after: StoredNode
}

/** What the set's snapshot made of a node; null: it went. */
export interface VersionPut {
  key: number
  op: Op
  state: NodeState | null
}

/** A document as it is stored, in any state. */
export interface StoredDocument {
  id: number
  address: Address
  state: DocumentState
  /** Of the text last put; null after an erasure, and when the document was changed by other means since. */
  digest: string | null
  /** Of its exact text; null where there is none, and where its versions are its text (`appended`). */
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

/** A row that replaces another one; null: there was none. */
export interface DocumentWrite {
  before: StoredDocument | null
  after: StoredDocument
}

/** What the set's snapshot made of a document. `lead` and `trail`: around a piece behind the text before; null for a whole text. */
export interface DocumentVersionWrite {
  documentId: number
  /** False: the snapshot has one of this document already, which it replaces. */
  isNew: boolean
  state: DocumentState
  digest: string | null
  textDigest: string | null
  /** Null where they are those of the version before. */
  attributes: Attributes | null
  lead: string | null
  trail: string | null
}

/** How many documents of a door are alike in what they are counted by. An attribute that is not there is ''. */
export interface DoorClass {
  kind: string
  state: DocumentState
  archived: string | number
  type: string | number
  importance: string | number
  status: string | number
}

/** More or fewer references to a text. One that nothing refers to any more goes. */
export interface TextReferences {
  digest: string
  /** Null: a text with this digest is stored. */
  text: string | null
  by: number
}

/** The words by which a node is found; null: none. */
export interface IndexChange {
  key: number
  before: IndexRow | null
  after: IndexRow | null
}

export interface HeatPut extends HeatRecord {
  /** There was no row for this node before. */
  isNew: boolean
}

export interface OverlayPut extends Overlay {
  nodeKey: number
}

/**
 * Rows that change together, with everything that follows from them already decided. An engine stores them; it decides nothing. A
 * large operation commits several sets in one transaction: nobody else sees any of them before its end.
 */
export interface WriteSet {
  /** The snapshot of the transaction as it is after this set, with the state digest that makes its `cursorHash`. It becomes the head. */
  snapshot?: { row: SnapshotRow; digest: bigint }
  /** The folder that stored roots are relative to. */
  home?: string
  documents?: readonly DocumentWrite[]
  documentVersions?: readonly DocumentVersionWrite[]
  doorCounts?: readonly (DoorClass & { count: number; bytes: number })[]
  tagCounts?: readonly { kind: string; tag: string; count: number }[]
  nodes?: readonly NodePut[]
  versions?: readonly VersionPut[]
  texts?: readonly TextReferences[]
  index?: readonly IndexChange[]
  heat?: readonly HeatPut[]
  overlays?: { put: readonly OverlayPut[]; remove: readonly number[] }
  heatClock?: HeatClock
  /** Documents that were asked for through their door. */
  accesses?: readonly (Touch & { at: number })[]
  /** What else subscribers are to know this by than the snapshot. */
  changes?: readonly ChangeKind[]
  /** By how much each counter changes. */
  counters?: ReadonlyMap<string, number>
}
