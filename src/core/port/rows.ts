import type { Address, DocumentKind, Format, NodeState, NodeType } from '../model.ts'

/** Row types that several parts of the port share. */

/** Fields that every row of a `WriteSet` may have. */
export interface Row {
  /**
   * Over the other fields, for an engine that stores a checksum with each row. SQLite does not: its pages and doctor's
   * digests are checked instead.
   */
  checksum?: string
}

export type DocumentState = 'live' | 'removed' | 'erased'

export interface DocumentRow {
  id: number
  address: Address
  owner: string
  state: DocumentState
  /** Digest of the last text put; null after an erasure, and when the document was changed by other means since. */
  digest: string | null
  /** Increases with every put: while it is unchanged, so is the document that a writer read. */
  revision: number
}

/** The file's version of a node that an agent has changed; `base` is null if the file has no such node. */
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
  /** Stored name of the compile root, '' if there is none. */
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
  /** The name by which links find it; null for anything but a live heading. */
  name: string | null
  tokens: number
  /** Digest of its text, 32 hex digits; '' for a removed node. */
  digest: string
  /** The links of its text (`encodeLinks`), null for none. */
  links: string | null
  /** Its share of the state digest; null for a removed node. */
  mark: bigint | null
  /** The snapshot that removed it; null for a live node. */
  removedIn: number | null
}

export function isLive({ removedIn }: Pick<NodeRow, 'removedIn'>): boolean {
  return removedIn === null
}

/** A node with its overlay, if it has one. */
export interface DocumentNodeRow extends NodeRow {
  overlay: Overlay | null
}

const DOORS: readonly string[] = ['record', 'key', 'file'] satisfies DocumentKind[]

/** Whether a document came through a door that stores exact texts. */
export function isOfDoor({ address }: { address: Pick<Address, 'kind'> }): boolean {
  return DOORS.includes(address.kind)
}
