import type { DocumentKind } from '../model.ts'
import type { DocumentRow, DocumentState } from './rows.ts'

/** The doors that keep documents of their own; files on disk and notes have none. */
export type DoorKind = Extract<DocumentKind, 'record' | 'key' | 'file'>

/**
 * What a door knows of a document besides its text: JSON, versioned with the text, under the names that the door shows.
 * `tags` and `expires_at` (milliseconds since 1970) mean the same at every door.
 */
export type Attributes = { tags?: string[]; expires_at?: number } & { [name: string]: unknown }

/** A document as its door sees it. */
export interface DoorDocument extends DocumentRow {
  attributes: Attributes
  /** Milliseconds since 1970. */
  createdAt: number
  updatedAt: number
  /** How often it was asked for through its door, and when last; null: never. */
  accesses: number
  accessedAt: number | null
  /** The exact text; null after an erasure, and where there is none (`isEmpty`). */
  text: string | null
}

/** What is asked for most: the text, and what it takes to tell whether it still counts. */
export type DoorText = Pick<
  DoorDocument,
  'id' | 'address' | 'state' | 'revision' | 'updatedAt' | 'attributes' | 'text'
>

/** The same without its text: for deciding what to do with documents, at the cost of none of their texts. */
export type DoorHead = Omit<DoorDocument, 'text'>

/** One state of a document: what a snapshot made of it. */
export interface DocumentVersion {
  snapshotId: number
  /** When the snapshot was made. */
  createdAt: number
  state: DocumentState
  attributes: Attributes
  text: string | null
}

/** A text that is put behind a document's text. What surrounds it is not part of any node. */
export interface TextPiece {
  /** Whitespace between the text before and this one. */
  lead: string
  text: string
  digest: string
  trail: string
}

export interface Touch {
  documentId: number
  times: number
}
