import type { IndexRow } from '../find/query/index-row.ts'
import type { NodeState, Op } from '../model.ts'
import type { ChangeKind } from './change-feed.ts'
import type { Attributes, Touch } from './doors.ts'
import type { FileFacts } from './file-facts.ts'
import type { HeatClock, HeatRecord } from './heat.ts'
import type { LeaseRow } from './leases.ts'
import type { StoredLink } from './links.ts'
import type { DocumentState, NodeRow, Overlay, Row, SnapshotRow } from './rows.ts'
import type { StoredDocument } from './stored.ts'

/** A row that replaces another one; null: there was none. */
export interface NodePut {
  before: NodeRow | null
  after: NodeRow
  /** Of the node before; missing: it is not known. */
  textBefore?: string | null
}

/** What a snapshot made of a node; null: it went. */
export interface VersionPut extends Row {
  key: number
  snapshotId: number
  op: Op
  state: NodeState | null
}

/** A row that replaces another one; null: there was none. */
export interface DocumentWrite {
  before: StoredDocument | null
  after: StoredDocument
}

/** What a snapshot made of a document. `lead` and `trail`: around a piece behind the text before; null for a whole text. */
export interface DocumentVersionWrite extends Row {
  documentId: number
  snapshotId: number
  state: DocumentState
  digest: string | null
  textDigest: string | null
  /** Null where they are those of the version before. */
  attributes: Attributes | null
  lead: string | null
  trail: string | null
}

/** How many documents of a door are alike in what they are counted by. An attribute that is not there is ''. */
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

/**
 * More or fewer references to a text. One that nothing refers to any more goes. A write fails that refers to a text which is neither
 * stored nor given; half a surrogate pair is stored as U+FFFD.
 */
export interface TextReferences extends Row {
  digest: string
  /** Null: a text with this digest is stored. */
  text: string | null
  by: number
}

/** The words by which a node is found; null: none. */
export interface IndexChange extends Row {
  key: number
  before: IndexRow | null
  after: IndexRow | null
}

/** What links find a document by: its file's name, or an alias of its front matter. */
export interface DocumentName extends Row {
  documentId: number
  name: string
  isAlias: boolean
}

export interface HeatPut extends HeatRecord {
  /** There was no row for this node before. */
  isNew: boolean
}

export interface OverlayPut extends Overlay, Row {
  nodeKey: number
}

/** A document whose history goes: every version of it and of its nodes. */
export interface Erasure {
  document: number
  /** Every node that it has or had, by key. */
  nodes: readonly number[]
}

/** Snapshots that go, with all that they made of anything. */
export interface HistoryDrop {
  /** Every version later than this snapshot goes. */
  after: number
  /** Every snapshot between the two goes. This one stays, without versions: it stands for the state that `after` left. */
  before: number
  /** Nodes of which nothing else is left, by key: they go with their heat and their links. */
  nodes: readonly number[]
}

/**
 * Rows that change together, with everything that follows from them already decided. An engine stores them; it decides nothing. A
 * large operation commits several sets in one transaction: nobody else sees any of them before its end. By then, and not before, every
 * node must have its parent and document, and no two nodes the same id, no two documents the same address: otherwise the write fails.
 */
export interface WriteSet {
  /** The snapshot of the transaction as it is after this set, with the state digest that makes its `cursorHash`. It becomes the head. */
  snapshot?: { row: SnapshotRow; digest: bigint }
  /** The folder that stored roots are relative to. */
  home?: string
  /** Who is the head and what the state digest is, without a snapshot. What is not there stays as it is. */
  state?: { headId?: number | null; digest?: bigint }
  /**
   * Snapshots with another parent or `cursorHash`, or made elsewhere: an import has them all. None becomes the head by this. From here
   * on rows of this transaction may refer to others that are still to come.
   */
  snapshots?: readonly SnapshotRow[]
  /** Before all other rows of this set. What it leaves on disk is to be overwritten (`scrub`). */
  erase?: Erasure
  /** Before all other rows of this set. What it leaves on disk is to be overwritten (`scrub`). */
  drop?: HistoryDrop
  /**
   * Takes over what was staged (`Call.staged`): its documents and their names, its nodes with their texts, heat, links and words. All of
   * its versions become versions of this snapshot. Nodes keep their keys: where one of those, or an id, is not free, the write fails
   * with CONFLICT. Counters and the state digest stay as they are.
   */
  adopt?: { snapshotId: number }
  documents?: readonly DocumentWrite[]
  /** All tags that a document is found by. */
  tags?: readonly { documentId: number; tags: readonly { tag: string; word: string }[] }[]
  /** First those that go, also to be replaced: a snapshot has one version of a document. */
  documentVersions?: {
    put: readonly DocumentVersionWrite[]
    remove: readonly { documentId: number; snapshotId: number }[]
  }
  doorCounts?: readonly DoorCount[]
  tagCounts?: readonly TagCount[]
  nodes?: readonly NodePut[]
  /** First those that go, also to be replaced: a snapshot has one version of a node. */
  versions?: { put: readonly VersionPut[]; remove: readonly { key: number; snapshotId: number }[] }
  texts?: readonly TextReferences[]
  index?: readonly IndexChange[]
  /** A row replaces the one of the same id. */
  links?: { put: readonly StoredLink[]; remove: readonly number[] }
  documentNames?: { put: readonly DocumentName[]; remove: readonly Omit<DocumentName, 'isAlias'>[] }
  heat?: readonly HeatPut[]
  overlays?: { put: readonly OverlayPut[]; remove: readonly number[] }
  /** What was seen of files of one compile root. */
  fileFacts?: { root: string; put: readonly FileFacts[]; remove: readonly string[] }
  leases?: { put: readonly LeaseRow[]; remove: readonly string[] }
  heatClock?: HeatClock
  /** Documents that were asked for through their door. */
  accesses?: readonly (Touch & { at: number })[]
  /** What else subscribers are to know this by than the snapshot. */
  changes?: readonly ChangeKind[]
  /** By how much each counter changes. */
  counters?: ReadonlyMap<string, number>
}
