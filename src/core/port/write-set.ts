import type { IndexRow } from '../find/query/index-row.ts'
import type { NodeState, Op } from '../model.ts'
import type { AuditWrite } from './audit.ts'
import type { ChangeKind } from './change-feed.ts'
import type { Attributes, Touch } from './doors.ts'
import type { FileFacts } from './file-facts.ts'
import type { HeatClock, HeatRecord } from './heat.ts'
import type { CheckpointRow, DocumentMove } from './history.ts'
import type { LeaseRow } from './leases.ts'
import type { StoredLink } from './links.ts'
import type { DocumentState, NodeRow, Overlay, Row, SnapshotRow } from './rows.ts'
import type { StoredDocument } from './stored.ts'

/** A row that replaces another; null: there was none. */
export interface NodePut {
  before: NodeRow | null
  after: NodeRow
  /** Text of the previous row; missing: unknown. */
  textBefore?: string | null
}

/** What a snapshot made of a node; null: it was removed. */
export interface VersionPut extends Row {
  key: number
  snapshotId: number
  op: Op
  state: NodeState | null
}

/** A row that replaces another; null: there was none. */
export interface DocumentWrite {
  before: StoredDocument | null
  after: StoredDocument
}

/**
 * What a snapshot made of a document. `lead` and `trail`: white space around an appended piece; null for a whole text.
 */
export interface DocumentVersionWrite extends Row {
  documentId: number
  snapshotId: number
  state: DocumentState
  digest: string | null
  textDigest: string | null
  /** Null if they are those of the previous version. */
  attributes: Attributes | null
  lead: string | null
  trail: string | null
}

/** How many documents of a door have the same values of the counted attributes. A missing attribute is ''. */
export interface DoorClass extends Row {
  kind: string
  state: DocumentState
  archived: string | number
  type: string | number
  importance: string | number
  status: string | number
}

export interface DoorCount extends DoorClass {
  count: number
  bytes: number
}

export interface TagCount extends Row {
  kind: string
  tag: string
  count: number
}

/** How many memories a user has created, and their bytes: see `core/rows/user-counts.ts`. */
export interface UserCount extends Row {
  userId: string
  count: number
  bytes: number
}

/**
 * More or fewer references to a text. A text without references is deleted. A write fails if it refers to a text that
 * is neither stored nor given; half a surrogate pair is stored as U+FFFD.
 */
export interface TextReferences extends Row {
  digest: string
  /** Null: a text with this digest is stored. */
  text: string | null
  by: number
}

/** The index words of a node; null: none. */
export interface IndexChange extends Row {
  key: number
  before: IndexRow | null
  after: IndexRow | null
}

/** A name by which links find a document: its file's name, or an alias in its front matter. */
export interface DocumentName extends Row {
  documentId: number
  name: string
  isAlias: boolean
}

export interface HeatPut extends HeatRecord {
  /** This node had no row before. */
  isNew: boolean
}

export interface OverlayPut extends Overlay, Row {
  nodeKey: number
}

/** A document whose history is deleted: every version of it and of its nodes. */
export interface Erasure {
  document: number
  /** Every node that it has or had, by key. */
  nodes: readonly number[]
}

/** Snapshots to delete, with all their versions. */
export interface HistoryDrop {
  /** Every version later than this snapshot is deleted. */
  after: number
  /**
   * Every snapshot between the two is deleted. This one stays, without versions, and represents the state at `after`.
   */
  before: number
  /** Keys of nodes with no other history: deleted with their heat and links. */
  nodes: readonly number[]
}

/** Snapshots to delete, after their last versions became versions of a later snapshot. */
export interface HistoryFold {
  /** The later snapshot. */
  into: number
  /** Versions that become versions of `into`, with this operation. */
  versions: readonly { key: number; from: number; op: Op }[]
  documentVersions: readonly { documentId: number; from: number }[]
  /** Snapshots to delete: they have no versions left. */
  snapshots: readonly number[]
  /** The parent of what had one of them as parent. */
  parent: number | null
  /** Keys of nodes with no history left: deleted with their heat and links. */
  nodes: readonly number[]
}

/**
 * Rows that change together, with all derived rows already computed. An engine stores them; it decides nothing. A large
 * operation commits several sets in one transaction, invisible to others until its end. By then every node must have
 * its parent and document, and node ids and document addresses must be unique: otherwise the write fails.
 */
export interface WriteSet {
  /**
   * The transaction's snapshot after this set, with the state digest that makes its `cursorHash`. It becomes the head.
   */
  snapshot?: { row: SnapshotRow; digest: bigint }
  /** The folder that stored roots are relative to. */
  home?: string
  /** The head and the state digest, without a snapshot. Missing fields stay as they are. */
  state?: { headId?: number | null; digest?: bigint }
  /**
   * Snapshots with a changed parent or `cursorHash`, or from elsewhere, as in an import. None becomes the head. From
   * here on, rows of this transaction may refer to rows that come later.
   */
  snapshots?: readonly SnapshotRow[]
  /** Before all other rows of this set. The freed space must be overwritten (`scrub`). */
  erase?: Erasure
  /** Before all other rows of this set. The freed space must be overwritten (`scrub`). */
  drop?: HistoryDrop
  /** After all other rows of this set. */
  fold?: HistoryFold
  /**
   * Takes over what was staged (`Call.staged`): its documents and their names, its nodes with their texts, heat, links and words. All of
   * its versions become versions of this snapshot. Nodes keep their keys: where one of those, or an id, is not free, the write fails
   * with CONFLICT. Counters and the state digest stay as they are.
   */
  adopt?: { snapshotId: number }
  documents?: readonly DocumentWrite[]
  /** All tags by which a document is found. */
  tags?: readonly { documentId: number; tags: readonly { tag: string; word: string }[] }[]
  /** Removals first, also before a replacement: a snapshot has one version of a document. */
  documentVersions?: {
    put: readonly DocumentVersionWrite[]
    remove: readonly { documentId: number; snapshotId: number }[]
  }
  /** Removals first. */
  moves?: { put: readonly DocumentMove[]; remove: readonly Pick<DocumentMove, 'documentId' | 'snapshotId'>[] }
  /** By name. */
  checkpoints?: { put: readonly CheckpointRow[]; remove: readonly string[] }
  doorCounts?: readonly DoorCount[]
  tagCounts?: readonly TagCount[]
  userCounts?: readonly UserCount[]
  nodes?: readonly NodePut[]
  /** Removals first, also before a replacement: a snapshot has one version of a node. */
  versions?: { put: readonly VersionPut[]; remove: readonly { key: number; snapshotId: number }[] }
  texts?: readonly TextReferences[]
  index?: readonly IndexChange[]
  /** A row replaces the row with the same id. */
  links?: { put: readonly StoredLink[]; remove: readonly number[] }
  documentNames?: { put: readonly DocumentName[]; remove: readonly Omit<DocumentName, 'isAlias'>[] }
  heat?: readonly HeatPut[]
  overlays?: { put: readonly OverlayPut[]; remove: readonly number[] }
  /** Facts about files of one compile root. */
  fileFacts?: { root: string; put: readonly FileFacts[]; remove: readonly string[] }
  leases?: { put: readonly LeaseRow[]; remove: readonly string[] }
  heatClock?: HeatClock
  audit?: AuditWrite
  /** Documents accessed through their door. */
  accesses?: readonly (Touch & { at: number })[]
  /** Kinds of change to report to subscribers besides the snapshot. */
  changes?: readonly ChangeKind[]
  /** The change of each counter. */
  counters?: ReadonlyMap<string, number>
}
