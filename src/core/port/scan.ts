import type { RawRows } from './raw-rows.ts'
import type { SnapshotRow } from './rows.ts'
import type { TransferDocument, TransferDocumentVersion, TransferNode, TransferVersion } from './transfer.ts'

/**
 * What is stored, in the form that other engines and programs get it, and row by row (`RawRows`). Each in the order of its key.
 */
export interface StoredRows extends RawRows {
  /** By id. */
  snapshots: SnapshotRow
  /** By id, live or not. */
  documents: TransferDocument
  /** By document and snapshot. */
  documentVersions: TransferDocumentVersion
  /** Which nodes a document has, live or not: by document and key. */
  members: { documentId: number; key: number }
  /** By key, live or not. */
  nodes: TransferNode
  /** By node and snapshot. */
  versions: TransferVersion
}
export type StoredTable = keyof StoredRows

export interface ScanPage {
  /**
   * Only what belongs to these: documents, for their versions and members; nodes, by their keys, for themselves and their versions; texts,
   * by their keys.
   */
  of?: readonly number[]
  /** Rows strictly after this key; none: from the first one on. */
  after?: ScanKey
  limit: number
}

/** What rows of a table are ordered by. */
export type ScanKey = readonly (number | string)[]

/** Every row, page by page: at the cost of what comes out. */
export interface ScanReads {
  scan<T extends StoredTable>(table: T, page: ScanPage): Promise<StoredRows[T][]>
  /** Looks at all of them. */
  countRows(
    table: 'snapshots' | 'documents' | 'documentVersions' | 'nodes' | 'versions' | 'overlays',
  ): Promise<number>
}
