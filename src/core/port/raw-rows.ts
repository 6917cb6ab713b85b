import type { DocumentKind, Format, NodeType, Op } from '../model.ts'
import type { HeatClock } from './heat.ts'
import type { LeaseRow } from './leases.ts'
import type { DocumentState } from './rows.ts'
import type { DoorClass } from './write-set.ts'

/**
 * Rows as they are stored, for doctor, which compares them with what they should be. In a damaged memory a value may be of any type:
 * those that are checked are unknown. A text is named by the engine's internal number, even if the text is missing.
 */
export interface RawRows {
  /** One. */
  space: RawSpace
  /** By key. */
  texts: RawText
  /** By key, live or not. */
  nodeRows: RawNode
  /** By key: live nodes whose text is there. */
  nodeStates: RawNodeState
  /** By node and snapshot. */
  versionRows: RawVersion
  /** By key of the node, live or not. */
  heat: RawHeat
  /** By the node that they begin at, and id. */
  linkRows: RawLink
  /** By id, in any state. */
  documentRows: RawDocument
  /** By document and snapshot. */
  documentVersionRows: RawDocumentVersion
  /** By name. */
  counters: RawCounter
  /** By kind, state and attributes. */
  doorCounts: RawDoorCount
  /** By kind and tag. */
  tagCounts: RawTagCount
  /** By root and path. */
  fileFacts: RawFileFacts
  /** By name. */
  leases: RawLease
}

export interface RawSpace {
  headId: number | null
  /** The state digest as hex digits. */
  digest: string
  heat: HeatClock
}

export interface RawText {
  key: number
  /** As hex digits. */
  digest: string
  references: unknown
  text: unknown
}

export interface RawNode {
  key: number
  parentKey: number | null
  type: NodeType
  tokens: unknown
  textKey: number | null
  removedIn: number | null
}

/** What the mark and the label of a live node follow from, beside both. */
export interface RawNodeState {
  key: number
  id: string
  /** Null for a root, and where the parent is not there. */
  parentId: string | null
  position: string
  type: NodeType
  format: Format
  links: string | null
  /** Of its newest version; null where it has none of its own. */
  ownLabel: string | null
  /** Of its text, as hex digits. */
  digest: string
  text: unknown
  label: unknown
  /** As hex digits. */
  mark: string
}

export interface RawVersion {
  nodeKey: number
  snapshotId: number
  op: Op
  parentKey: number | null
  position: string
  type: NodeType
  format: Format
  label: string | null
  links: string | null
  /** Null where the node went. */
  textKey: number | null
}

export interface RawHeat {
  key: number
  value: unknown
  clock: unknown
  pinned: number
  accesses: number
  accessedAt: number | null
  told: number
  coldness: number | null
}

export interface RawLink {
  id: number
  sourceKey: number
  origin: string
  targetKey: number | null
  asleep: number
}

export interface RawDocument {
  id: number
  kind: DocumentKind
  /** Of whoever asks: nobody else's are counted. */
  isOwn: boolean
  /** Where a file on disk is; null for others. */
  file: { root: string; path: string } | null
  state: DocumentState
  textKey: number | null
  /** Of its text, for records; others: 0. */
  textBytes: number
  /** It is known which text was last put. */
  hasDigest: boolean
  /** JSON; null for files on disk and notes. */
  attributes: unknown
  appended: number
  accesses: unknown
  accessedAt: unknown
  /** What it is found by. */
  tags: { tag: string; word: string }[]
}

export interface RawDocumentVersion {
  documentId: number
  snapshotId: number
  state: DocumentState
  textKey: number | null
  /** JSON; null where they are those of the version before. */
  attributes: unknown
  lead: string | null
  trail: string | null
}

export interface RawCounter {
  name: string
  value: unknown
}

export interface RawDoorCount extends DoorClass {
  count: number
  bytes: number
}

export interface RawTagCount {
  kind: string
  tag: string
  count: number
}

export interface RawFileFacts {
  root: string
  path: string
  size: unknown
  modifiedAt: unknown
  changedAt: unknown
  scannedAt: unknown
  /** As hex digits; null where it is not even bytes. */
  digest: string | null
  line: unknown
  reason: unknown
}

export interface RawLease extends Omit<LeaseRow, 'expiresAt'> {
  name: string
  expiresAt: unknown
}
