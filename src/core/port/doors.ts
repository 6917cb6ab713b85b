import type { Address, DocumentKind } from '../model.ts'
import type { DocumentRow, DocumentState } from './rows.ts'
import type { Match } from './search.ts'

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

/** Attributes that documents can be chosen and sorted by. */
const QUERY_ATTRIBUTES = [
  'type',
  'category',
  'importance',
  'archived',
  'status',
  'completed_at',
  'expires_at',
  'folder',
] as const
export type QueryAttribute = (typeof QUERY_ATTRIBUTES)[number]

export interface DoorCondition {
  attribute: QueryAttribute
  /** One of these; null: it has none. */
  in: readonly (string | number | boolean | null)[]
}

export type DoorSortKey =
  | 'name'
  | 'id'
  | 'created'
  | 'updated'
  /** Never asked for: when it was made. */
  | 'accessed'
  | 'accesses'
  /** high, medium, low. */
  | 'importance'
  | 'completed_at'

/** Which documents of one door; each condition narrows. */
export interface DoorQuery {
  kind: DoorKind
  /** Default: live ones. */
  states?: readonly DocumentState[]
  /** Files: of this memory only. */
  memory?: { node: string; scope: 'global' | 'perThread'; thread: string }
  /** Files: below this path, at any depth; '' is everything. Others: whose name begins so. */
  under?: string
  /** All of them. */
  tags?: readonly string[]
  where?: readonly DoorCondition[]
  /** Whose nodes have these words: each of them somewhere in the document. */
  words?: Match
  /** Those whose time has not come by then. */
  notExpiredAt?: number
  /** Those whose time has come by then. */
  expiredAt?: number
  /** Since then, one of these happened to it. */
  since?: { at: number; any: readonly ('created' | 'updated' | 'accessed' | 'completed_at')[] }
  /** Until then, all of these happened last. */
  until?: { at: number; all: readonly ('created' | 'updated' | 'accessed' | 'completed_at')[] }
  /** Those that were asked for at least once. */
  wasAccessed?: true
  /** Strictly after this name or id, in the order of `sort`. */
  after?: { name: string } | { id: number }
}

export interface DoorPage {
  sort: readonly { by: DoorSortKey; descending?: boolean }[]
  limit: number
  offset?: number
  /** Larger texts are not read: they are null. Default: all are read. */
  maxTextBytes?: number
}

export interface DoorReads {
  /** In any state. */
  findDoorDocument(address: Address): Promise<DoorDocument | undefined>
  /** The same, sooner. */
  findDoorText(address: Address): Promise<DoorText | undefined>
  listDoorDocuments(query: DoorQuery, page: DoorPage): Promise<DoorDocument[]>
  /** As `findDoorDocument` and `listDoorDocuments`; no text is read. */
  findDoorHead(address: Address): Promise<DoorHead | undefined>
  listDoorHeads(query: DoorQuery, page: DoorPage): Promise<DoorHead[]>
  /**
   * Files: the names right below a path ('' is the root), by code unit; at their cost, whatever is below them. A name that has
   * something below it is a folder, whatever else it is. At most `limit` of them.
   */
  listFileEntries(
    memory: NonNullable<DoorQuery['memory']>,
    path: string,
    limit: number,
  ): Promise<{ name: string; isFolder: boolean }[]>
  /** Bytes of the texts of these documents altogether, in UTF-8; no text is read. */
  textBytes(documentIds: readonly number[]): Promise<number>
  countDoorDocuments(query: DoorQuery): Promise<number>
  /** As `listDoorDocuments`, with how many there are on all pages: in one go, where counting costs as much as finding. */
  pageDoorDocuments(query: DoorQuery, page: DoorPage): Promise<{ documents: DoorDocument[]; total: number }>
  /** How many documents have each value of an attribute, or each tag; null: those without. Most frequent first, then by value. */
  countDoorValues(
    query: DoorQuery,
    by: QueryAttribute | 'tag',
    limit?: number,
  ): Promise<{ value: string | null; count: number }[]>
  /** Bytes of all texts, in UTF-8. */
  doorBytes(query: DoorQuery): Promise<number>
  /** The documents that live nodes belong to, by the nodes' ids; those of other doors are left out. */
  doorDocumentsOfNodes(
    kind: DoorKind,
    nodeIds: readonly string[],
    options?: Pick<DoorPage, 'maxTextBytes'>,
  ): Promise<Map<string, DoorDocument>>
  /** When the next live document of a door expires, or should have; null: none does. */
  nextExpiry(kind: DoorKind): Promise<number | null>
  /** What a document was, newest first, its current state included. */
  documentHistory(documentId: number, page: { limit: number; before?: number }): Promise<DocumentVersion[]>
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

export interface DoorWrites {
  /** Puts a piece behind the text: costs the piece. The document must be live. */
  appendText(input: {
    documentId: number
    piece: TextPiece
    attributes: Attributes
    at: number
    snapshotId: number
  }): Promise<void>
}
