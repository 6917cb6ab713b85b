import type { Address } from '../model.ts'
import type { Attributes } from './doors.ts'
import type { HeatRecord } from './heat.ts'
import type { DocumentState, NodeRow, Overlay, Row } from './rows.ts'

/** A stored document, in any state. */
export interface StoredDocument extends Row {
  id: number
  address: Address
  state: DocumentState
  /** Digest of the last text put; null after an erasure, and when the document was changed by other means since. */
  digest: string | null
  /** Digest of its exact text; null if there is none, if it is lost, and if its versions hold the text (`appended`). */
  textDigest: string | null
  /** Of its exact text, in UTF-8; of a note, of the texts of its nodes. 0 for files on disk. */
  textBytes: number
  /** Who created it, and whose quota it counts against; null: nobody that the server knows. */
  userId: string | null
  appended: boolean
  /** Null for files on disk and notes. */
  attributes: Attributes | null
  revision: number
  /** Milliseconds since 1970. */
  createdAt: number
  updatedAt: number
  accesses: number
  accessedAt: number | null
}

/** A node with everything that changes with it. */
export interface StoredNodeFacts extends NodeRow {
  /** Null for a removed node. */
  text: string | null
  heat: HeatRecord
  overlay: Overlay | null
  parentId: string | null
}
