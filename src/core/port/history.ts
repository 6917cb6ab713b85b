import type { Format, NodeType, Op } from '../model.ts'
import type { HeatClock } from './heat.ts'
import type { SnapshotRow } from './rows.ts'
import type { StoredDocument } from './stored.ts'

/** What a memory is as a whole: one row of facts, in one question. */
export interface SpaceState {
  /** The newest snapshot; undefined before the first. */
  head: SnapshotRow | undefined
  /** The folder that stored roots are relative to, as a compile at home last saw it. */
  home: string | null
  heat: HeatClock
  /** How many removals of text are committed and not overwritten on disk yet. */
  pendingScrubs: number
  /** Another text after every write, whoever made it: as long as it is the same, so is everything that is read. */
  version: string
  /** Of the state: the sum of the marks of all live nodes, modulo 2^64. */
  digest: bigint
  /**
   * The first number that no snapshot, node (in what is left of history), document or link has, or had. Nobody else writes as long as a
   * write lasts, so these and all above are its own to use.
   */
  nextSnapshotId: number
  nextNodeKey: number
  nextDocumentId: number
  nextLinkId: number
  /** Whether there may be links that ask for a node by its id. */
  hasLinksById: boolean
}

/** Snapshots between two others, neither of them included. */
export interface SnapshotPage {
  after?: number
  before?: number
  limit: number
}

/** One row of history: what `snapshotId` made of a node. Text is null where the node was gone or erased. */
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

/** What a node was, with what going back to it takes. */
export interface PastState extends VersionState {
  digest: string
  /** Null also where the parent was not there then: erased, or removed in a history that was mended or imported. */
  parentKey: number | null
}

/** What a node was at a snapshot, and which one had made that of it. Null: it was gone. */
export interface StateRow {
  key: number
  snapshotId: number
  state: PastState | null
}

/** What a document was at a snapshot. One that was not there was removed. */
export interface PastDocument
  extends Pick<StoredDocument, 'state' | 'digest' | 'textDigest' | 'textBytes' | 'attributes'> {
  documentId: number
  /** It was put together of pieces: what is here of its text and attributes is the last piece's. */
  isPiece: boolean
}

/** After `since`, up to `until`. */
export interface SnapshotRange {
  since: number
  until: number
}

/** Versions of one node, or of all, in a range; default: all there are. */
export interface VersionSelect extends Partial<SnapshotRange> {
  nodeId?: string
}

export interface VersionPage {
  limit: number
  /** Rows of all nodes strictly after this one. */
  after?: Pick<VersionRow, 'snapshotId' | 'nodeKey'>
}

export interface HistoryReads {
  state(): Promise<SpaceState>
  /** Newest first. */
  snapshots(page: SnapshotPage): Promise<SnapshotRow[]>
  /** Of one node newest first; of all oldest first, then by key. */
  versions(select: VersionSelect, page: VersionPage): Promise<VersionRow[]>
  /** What nodes were at a snapshot, in the order of `keys`, without those that were not known yet, or are erased. */
  statesAt(keys: readonly number[], snapshotId: number): Promise<StateRow[]>
  /** Documents of doors, and notes, that a snapshot after `target` made something of, with what they were then. */
  changedDocuments(target: number): Promise<PastDocument[]>
}
