import type { Address, Format, NodeState, NodeType } from '../model.ts'

/** Rows that more than one part of the store port speaks of. */

/** What every row of a `WriteSet` has room for. */
export interface Row {
  /** Over the other fields, for an engine that keeps one with each row. SQLite keeps none: its pages and doctor's digests are checked instead. */
  checksum?: string
}

export type DocumentState = 'live' | 'removed' | 'erased'

export interface DocumentRow {
  id: number
  address: Address
  owner: string
  state: DocumentState
  /** Of the text last put; null after an erasure, and when the document was changed by other means since. */
  digest: string | null
  /** Grows with every put: the base a writer read is still the base when it is unchanged. */
  revision: number
}

/** What the file says of a node while the memory says something else; `base` is null when the file has no such node. */
export interface Overlay {
  operation: string
  base: NodeState | null
}

export interface SnapshotRow extends Row {
  id: number
  parentId: number | null
  cursorHash: string
  author: string
  operation: string
  message: string
  /** Stored name of the compile root, '' when there is none. */
  root: string
  createdAt: number
}

/** A node, live or removed. */
export interface NodeRow extends Row {
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
  /** Of its text, 32 hex digits; '' for a removed node. */
  digest: string
  /** What its text asks for (`encodeLinks`), null for nothing. */
  links: string | null
  /** Its share of the state digest; null for a removed node. */
  mark: bigint | null
  /** The snapshot that removed it; null for a live node. */
  removedIn: number | null
}

export function isLive({ removedIn }: Pick<NodeRow, 'removedIn'>): boolean {
  return removedIn === null
}

/** A node beside its overlay, if it has one. */
export interface DocumentNodeRow extends NodeRow {
  overlay: Overlay | null
}
