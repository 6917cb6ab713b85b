import type { DocumentKind } from '../model.ts'
import type { DocumentRow, DocumentState } from './rows.ts'

/** The doors with their own documents. Files on disk and notes have none. */
export type DoorKind = Extract<DocumentKind, 'record' | 'key' | 'file'>

/**
 * What a door stores about a document besides its text: JSON, versioned with the text, under the names that the door
 * shows. `tags` and `expires_at` (milliseconds since 1970) have the same meaning at every door.
 */
export type Attributes = { tags?: string[]; expires_at?: number } & { [name: string]: unknown }

/** A document as its door sees it. */
export interface DoorDocument extends DocumentRow {
  attributes: Attributes
  /** Milliseconds since 1970. */
  createdAt: number
  updatedAt: number
  /** How often it was accessed through its door, and when last; null: never. */
  accesses: number
  accessedAt: number | null
  /** The exact text; null after an erasure, and if there is none (`isEmpty`). */
  text: string | null
}

/** The most frequent read: the text, and the fields that show whether it is still valid. */
export type DoorText = Pick<
  DoorDocument,
  'id' | 'address' | 'state' | 'revision' | 'updatedAt' | 'attributes' | 'text'
>

/** The same without the text: for decisions that need no text. */
export type DoorHead = Omit<DoorDocument, 'text'>

/** One state of a document, made by a snapshot. */
export interface DocumentVersion {
  snapshotId: number
  /** When the snapshot was made. */
  createdAt: number
  state: DocumentState
  attributes: Attributes
  text: string | null
}

/** A text that is appended to a document's text. The white space around it belongs to no node. */
export interface TextPiece {
  /** White space between the previous text and this one. */
  lead: string
  text: string
  digest: string
  trail: string
}

export interface Touch {
  documentId: number
  times: number
}
