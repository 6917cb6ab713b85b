import type { Address, Format, NodeType, Op } from '../model.ts'
import type { HeatClock } from './heat.ts'
import type { Row, SnapshotRow } from './rows.ts'
import type { StoredDocument } from './stored.ts'

/** The state of a memory as a whole, in one read. */
export interface SpaceState {
  /** The newest snapshot; undefined before the first. */
  head: SnapshotRow | undefined
  /** The folder that stored roots are relative to, as last seen by a compile at home. */
  home: string | null
  heat: HeatClock
  /** How many committed removals of text are not yet overwritten on disk. */
  pendingScrubs: number
  /** Changes after every write by any process; while it is the same, every read returns the same. */
  version: string
  /** The sum of the marks of all live nodes, modulo 2^64. */
  digest: bigint
  /**
   * The first number never used by a snapshot, node (in the remaining history), document or link. There is one writer
   * at a time, so a write may use it and all above.
   */
  nextSnapshotId: number
  nextNodeKey: number
  nextDocumentId: number
  nextLinkId: number
  /** Whether links that name a node by id may exist. */
  hasLinksById: boolean
}

/** How callers name a moment: a snapshot, a checkpoint, a date or time, or how long ago. */
export type MomentInput = number | string

/** A read of the past or, without it, of the present. */
export interface AsOf {
  asOf?: MomentInput | undefined
}

/** The answer of a read that may be of the past. */
export interface MaybePast {
  /** The snapshot that was read; missing: the present. */
  readAt?: Pick<SnapshotRow, 'id' | 'createdAt'>
}

/** Snapshots between two others, exclusive. */
export interface SnapshotPage extends SnapshotFilter {
  after?: number
  before?: number
  limit: number
  /** Default: newest first. */
  oldestFirst?: true
  /** Includes snapshots without a `cursorHash`: they are being pruned, and other reads leave them out. */
  hidden?: true
}

/** All conditions must hold. */
export interface SnapshotFilter {
  author?: string
  operation?: string
  /** Changed a document that has, or had, one of these addresses or one below; an empty name is all of a collection. */
  within?: readonly Address[]
  /** Made at or after this time, in milliseconds since 1970. */
  since?: number
  /** Made at or before this time. */
  until?: number
}

/** One row of history: what `snapshotId` made of a node. The text is null if the node was removed or erased. */
export interface VersionRow {
  snapshotId: number
  nodeKey: number
  nodeId: string
  op: Op
  old: VersionState | null
  new: VersionState | null
}

export interface VersionState {
  parentId: string | null
  position: string
  type: NodeType
  format: Format
  label: string | null
  text: string
  links: string | null
}

/** A past state of a node, with everything that a rollback to it needs. */
export interface PastState extends VersionState {
  digest: string
  /** Null also if the parent did not exist then: erased, or removed in a repaired or imported history. */
  parentKey: number | null
}

/** The state of a node at a snapshot, and the snapshot that made it. Null: removed. */
export interface StateRow {
  key: number
  snapshotId: number
  state: PastState | null
}

/** The state of a document at a snapshot. A document that did not exist is removed. */
export interface PastDocument
  extends Pick<StoredDocument, 'state' | 'digest' | 'textDigest' | 'textBytes' | 'attributes'> {
  documentId: number
  /** It was assembled from pieces: the text here is that of the last piece. */
  isPiece: boolean
  /** The time of the snapshot that made this state; null: it did not exist. */
  updatedAt: number | null
}

/** After `since`, up to `until`. */
export interface SnapshotRange {
  since: number
  until: number
}

/** Versions of one node, or of all, in a range; default: all. */
export interface VersionSelect extends Partial<SnapshotRange> {
  nodeId?: string
}

export interface VersionPage {
  limit: number
  /** Rows of all nodes strictly after this one. */
  after?: Pick<VersionRow, 'snapshotId' | 'nodeKey'>
}

/** A name for a snapshot, which is then never pruned. */
export interface CheckpointRow extends Row {
  name: string
  snapshotId: number
  author: string
  /** Milliseconds since 1970. */
  createdAt: number
}

/** The address, as `placeOf` gives it, that a document had until a snapshot moved it. */
export interface DocumentMove extends Row {
  documentId: number
  snapshotId: number
  collection: string
  name: string
}

/** What keeping the past costs. */
export interface HistoryCost {
  snapshots: number
  /** Of nodes and of documents. */
  versions: number
  /** Of texts that only versions hold, in UTF-8. Texts that are appended to count as the present. */
  textBytes: number
}

export interface HistoryReads {
  state(): Promise<SpaceState>
  /** Newest first. Costs what it returns and what the filter skips. */
  snapshots(page: SnapshotPage): Promise<SnapshotRow[]>
  /** How many nodes each of these snapshots changed, counted up to `most`; without those that changed none. */
  changeCounts(snapshotIds: readonly number[], most: number): Promise<{ snapshotId: number; count: number }[]>
  /** Of one node newest first; of all nodes oldest first, then by key. */
  versions(select: VersionSelect, page: VersionPage): Promise<VersionRow[]>
  /** States of nodes at a snapshot, in the order of `keys`, without nodes that did not exist yet or are erased. */
  statesAt(keys: readonly number[], snapshotId: number): Promise<StateRow[]>
  /** Documents of doors, and notes, that a snapshot after `target` changed, with their state at `target`. */
  changedDocuments(target: number): Promise<PastDocument[]>
  /** Reads the key of every version and text: not for callers that poll. */
  historyCost(): Promise<HistoryCost>
  /** By snapshot, then by name. */
  checkpoints(): Promise<CheckpointRow[]>
  /** For each document that a snapshot after `target` moved: the first such move, which has its address at `target`. */
  movedDocuments(target: number): Promise<DocumentMove[]>
  /** Every move of these documents, by document, then by snapshot. */
  documentMoves(documentIds: readonly number[]): Promise<DocumentMove[]>
}
