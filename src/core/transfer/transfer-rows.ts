import type { Address, Format, Link, NodeState, NodeType, Op } from '../model.ts'
import type { Attributes } from '../port/doors.ts'
import type { HeatClock } from '../port/heat.ts'
import type { CheckpointRow } from '../port/history.ts'
import type { DocumentState, Overlay, SnapshotRow } from '../port/rows.ts'

/** Facts about the whole memory, and the number of rows of each kind. */
export interface TransferSpace {
  headId: number | null
  heat: HeatClock
  counts: TransferCounts
}

export interface TransferCounts {
  snapshots: number
  documents: number
  documentVersions: number
  nodes: number
  versions: number
}

export interface TransferSnapshot extends SnapshotRow {
  /** Its names, if it has any. */
  checkpoints?: Omit<CheckpointRow, 'snapshotId'>[] | null | undefined
}

/** The address of a file until a snapshot moved it. */
export interface TransferMove {
  snapshotId: number
  root: string
  path: string
}

export interface TransferDocument {
  id: number
  address: Address
  state: DocumentState
  digest: string | null
  /** The exact text, for doors that have one. */
  text: string | null
  revision: number
  createdAt: number
  updatedAt: number
  /** Null for files on disk and notes. */
  door: { attributes: Attributes; appended: boolean; accesses: number; accessedAt: number | null } | null
  /** Of a file on disk that was moved. */
  moves?: TransferMove[] | null | undefined
}

export interface TransferDocumentVersion {
  documentId: number
  snapshotId: number
  state: DocumentState
  digest: string | null
  text: string | null
  /** Null for notes. Attributes: null if they are those of the previous version. `lead`: null for a whole text. */
  door: { attributes: Attributes | null; lead: string | null; trail: string | null } | null
}

export interface TransferNode {
  key: number
  id: string
  documentId: number
  /** The current place of a live node. Its newest version has the rest. */
  parentKey: number | null
  /** Null for a live node. */
  removed: { in: number; type: NodeType; format: Format } | null
  heat: TransferHeat
  overlay: Overlay | null
  /** Manual links, in order of creation. Links of its text are in its versions. */
  links: ManualLink[]
}

/** As stored: the value is that at `clock`. */
export interface TransferHeat {
  value: number
  clock: number
  pinned: boolean
  accesses: number
  accessedAt: number | null
  /** It was reported as cold and has not been warm since. */
  told: boolean
}

export interface ManualLink extends Link {
  createdAt: number
}

export interface TransferVersion {
  nodeKey: number
  snapshotId: number
  op: Op
  /** Null if the node was removed. */
  state: (Omit<NodeState, 'digest'> & { text: string }) | null
}
