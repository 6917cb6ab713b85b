import type { DocumentKind, NodeState, Op } from '../model.ts'
import type { AuditEntry, AuditHead } from './audit.ts'
import type { Attributes } from './doors.ts'
import type { FileFacts } from './file-facts.ts'
import type { HeatClock, HeatRecord } from './heat.ts'
import type { CheckpointRow, DocumentMove, SnapshotRange } from './history.ts'
import type { LeaseRow } from './leases.ts'
import type { StoredLink } from './links.ts'
import type { NodeRow, SnapshotRow } from './rows.ts'
import type { StoredDocument } from './stored.ts'
import type { DocumentVersionWrite, DoorCount, OverlayPut, TagCount, UserCount } from './write-set.ts'

/**
 * Everything stored, table by table: the rows of a `WriteSet`, each once, also in a damaged memory. There a value may
 * have any type: fields that doctor checks are unknown.
 */
export interface StoredRows {
  /** Exactly one row. */
  space: ScannedSpace
  snapshots: SnapshotRow
  texts: ScannedText
  /** In any state, of any owner. */
  documents: ScannedDocument
  documentVersions: ScannedDocumentVersion
  tags: { documentId: number; tag: string; word: string }
  moves: DocumentMove
  checkpoints: CheckpointRow
  /** Live and removed. */
  nodes: ScannedNode
  versions: ScannedVersion
  heat: Unchecked<HeatRecord, 'value' | 'clock'>
  links: Omit<StoredLink, 'documentId'>
  overlays: OverlayPut
  counters: { name: string; value: unknown }
  doorCounts: DoorCount
  tagCounts: TagCount
  userCounts: UserCount
  fileFacts: ScannedFileFacts
  leases: Unchecked<LeaseRow, 'expiresAt'>
  audit: AuditEntry
  /** Exactly one row, or none before the first entry. */
  auditHead: AuditHead
}
export type StoredTable = keyof StoredRows
export type VersionTable = 'versions' | 'documentVersions' | 'moves'

export interface TextSize {
  key: number
  digest: string
  references: number
  /** In UTF-8. */
  bytes: number
}

type Unchecked<R, F extends keyof R> = Omit<R, F> & { [N in F]: unknown }

export interface ScannedSpace {
  headId: number | null
  /** The state digest; null: unreadable. */
  digest: bigint | null
  heat: HeatClock
}

export interface ScannedText {
  /** The number by which rows refer to it, assigned by the engine. */
  key: number
  digest: string
  references: unknown
  text: unknown
}

interface TextHolder {
  /** Null: no text. The text may be missing. */
  textKey: number | null
}

interface AttributesHolder {
  /** Undefined: unreadable. */
  attributes: Attributes | null | undefined
}

export interface ScannedDocument
  extends TextHolder,
    AttributesHolder,
    Unchecked<
      Omit<StoredDocument, 'address' | 'textDigest' | 'attributes'>,
      'accesses' | 'accessedAt' | 'textBytes'
    > {
  kind: DocumentKind
  /** Undefined: unreadable. */
  address: StoredDocument['address'] | undefined
  /** Of its exact text as it is stored now, which `textBytes` must be equal to; 0 if it has none. */
  ownTextBytes: number
  /** It belongs to the owner of this memory. */
  isOwn: boolean
}

export interface ScannedDocumentVersion
  extends TextHolder,
    AttributesHolder,
    Omit<DocumentVersionWrite, 'textDigest' | 'attributes'> {}

export interface ScannedNode extends TextHolder, Unchecked<Omit<NodeRow, 'digest'>, 'tokens' | 'label'> {}

/** If the node was removed, it has no text and no other state. */
export interface ScannedVersion extends TextHolder, Omit<NodeState, 'digest'> {
  nodeKey: number
  snapshotId: number
  op: Op
}

export interface ScannedFileFacts
  extends Unchecked<
    Omit<FileFacts, 'digest' | 'failure'>,
    'sizeBytes' | 'modifiedAt' | 'changedAt' | 'scannedAt'
  > {
  root: string
  /** Null if it is not bytes. */
  digest: string | null
  failure: { line: unknown; reason: unknown } | null
}

/** For each table: the columns that order its rows, and those that select rows. */
export const SCANNED = {
  space: { key: [], of: [] },
  snapshots: { key: ['id'], of: [] },
  texts: { key: ['key'], of: ['key'] },
  documents: { key: ['id'], of: [] },
  documentVersions: { key: ['documentId', 'snapshotId'], of: ['documentId', 'snapshotId'] },
  tags: { key: ['documentId', 'tag'], of: ['documentId'] },
  moves: { key: ['documentId', 'snapshotId'], of: ['documentId', 'snapshotId'] },
  checkpoints: { key: ['name'], of: [] },
  nodes: { key: ['key'], of: ['key', 'documentId'] },
  versions: { key: ['nodeKey', 'snapshotId'], of: ['nodeKey', 'snapshotId'] },
  heat: { key: ['key'], of: ['key'] },
  links: { key: ['sourceKey', 'id'], of: ['sourceKey'] },
  overlays: { key: ['nodeKey'], of: ['nodeKey'] },
  counters: { key: ['name'], of: [] },
  doorCounts: { key: ['kind', 'state', 'archived', 'type', 'importance', 'status'], of: [] },
  tagCounts: { key: ['kind', 'tag'], of: [] },
  userCounts: { key: ['userId'], of: ['userId'] },
  fileFacts: { key: ['root', 'path'], of: [] },
  leases: { key: ['name'], of: ['name'] },
  audit: { key: ['number'], of: [] },
  auditHead: { key: [], of: [] },
} as const satisfies {
  [T in StoredTable]: { key: readonly (keyof StoredRows[T])[]; of: readonly (keyof StoredRows[T])[] }
}

export interface ScanPage<T extends StoredTable = StoredTable> {
  /** Only rows with one of these values. */
  of?: { readonly [F in (typeof SCANNED)[T]['of'][number]]?: ScanKey }
  /** Rows strictly after this key; none: from the first. */
  after?: ScanKey
  limit: number
}

export type ScanKey = readonly (number | string)[]

export function scanKey<T extends StoredTable>(table: T, row: StoredRows[T]): ScanKey {
  const key: readonly string[] = SCANNED[table].key
  return key.map((name) => (row as unknown as Record<string, number | string>)[name] as number | string)
}

export interface ScanReads {
  /** A page costs what it returns; one of a document's nodes scans all their keys. */
  scan<T extends StoredTable>(table: T, page: ScanPage<T>): Promise<StoredRows[T][]>
  /**
   * Versions or moves in a range, by descending snapshot, then by descending key. A page costs what it returns.
   */
  scanBack<T extends VersionTable>(table: T, range: SnapshotRange, limit: number): Promise<StoredRows[T][]>
  /** Sizes of texts by their keys, in that order, without those that are missing. Reads no text. */
  textSizes(keys: readonly number[]): Promise<TextSize[]>
  /** Counts all rows, of any owner. */
  countRows(table: StoredTable): Promise<number>
}
