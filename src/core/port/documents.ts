import type { Address, DocumentKind } from '../model.ts'
import type { DocumentVersion, DoorDocument, DoorHead, DoorText } from './doors.ts'
import type { DocumentRow, DocumentState } from './rows.ts'
import type { Match } from './search.ts'
import type { StoredDocument } from './stored.ts'

/** Attributes that queries can filter and sort by. */
const QUERY_ATTRIBUTES = [
  'type',
  'category',
  'importance',
  'archived',
  'status',
  'completed_at',
  'expires_at',
  'folder',
  'client',
] as const
export type QueryAttribute = (typeof QUERY_ATTRIBUTES)[number]

export interface DocumentCondition {
  attribute: QueryAttribute
  /** One of these values; null: no value. */
  in: readonly (string | number | boolean | null)[]
}

export type DocumentSortKey =
  | 'name'
  | 'id'
  | 'created'
  | 'updated'
  /** The time of creation if it was never accessed. */
  | 'accessed'
  | 'accesses'
  /** high, medium, low. */
  | 'importance'
  | 'completed_at'
  | 'expires_at'

/** A file tree of the files door. */
export interface FileTree {
  node: string
  scope: 'global' | 'perThread'
  thread: string
}

/** Selects documents of one kind; all conditions must hold. */
export interface DocumentQuery {
  kind: DocumentKind
  /** Default: live documents. */
  states?: readonly DocumentState[]
  /** Files on disk: in this compile root. */
  root?: string
  /** Files on disk of one root: this path and everything below it; '' is everything. */
  scope?: string
  /** Files: in this memory. */
  memory?: FileTree
  /** Files: below this path, at any depth; '' is everything. */
  under?: string
  /** Keys and records: with this name. */
  name?: string
  /** With all of these tags. */
  tags?: readonly string[]
  where?: readonly DocumentCondition[]
  /** Documents that contain each of these words in some node. */
  words?: Match
  /** Documents with live nodes. */
  hasNodes?: true
  /** Not expired at this time. */
  notExpiredAt?: number
  /** Expired at this time. */
  expiredAt?: number
  /** One of these happened at or after this time. */
  since?: { at: number; any: readonly ('created' | 'updated' | 'accessed' | 'completed_at')[] }
  /** All of these last happened at or before this time. */
  until?: { at: number; all: readonly ('created' | 'updated' | 'accessed' | 'completed_at')[] }
  /** Accessed at least once. */
  wasAccessed?: true
  /** Strictly after this name or id, in the order of `sort`. */
  after?: { name: string } | { id: number }
}

/**
 * Selects documents. By address or id: in any state, in the given order, without missing ones. `own`: without documents
 * of other owners, which only an id can reach. By node: the document that contains it, or contained it before its
 * removal, if it has the same owner.
 */
export type DocumentSelect = DocumentPick | { ofNode: string } | DocumentQuery
export type DocumentPick = { at: readonly Address[] } | { ids: readonly number[]; own?: true }

/** How much to read of each document. */
export interface DocumentShapes {
  /** Its identity and state. */
  row: DocumentRow
  /** Everything except its text. */
  head: DoorHead
  /** The most frequent read, and the cheapest way to a text. */
  text: DoorText
  whole: DoorDocument
  /** Everything stored about it, for a caller that will change it. */
  stored: StoredDocument
  /** As trees and hits show it. */
  name: { id: number; name: string }
  /** The size of its live nodes. */
  size: { id: number; address: Address; name: string; nodes: number; tokens: number }
}
export type DocumentFields = keyof DocumentShapes

/** `total`: if the page requests it. */
export type Paged<T> = T & { total?: number }

export interface TextOptions {
  /** Larger texts are null instead of read. Default: all are read. */
  maxTextBytes?: number
}

export interface DocumentPage extends TextOptions {
  sort: readonly { by: DocumentSortKey; descending?: boolean }[]
  limit: number
  offset?: number
  /** Adds the number of documents on all pages to each document: some engines get it for free. */
  total?: true
}

export interface TotalOptions {
  /** A total for each value of an attribute, each tag or each root, instead of one for all. */
  by?: QueryAttribute | 'tag' | 'root'
  /** Maximum number of values. */
  limit?: number
  /** Includes the bytes of texts, which may cost more than counting. Not with `by`. */
  bytes?: true
}

export interface DocumentTotal {
  /** Null for documents without a value, and for the total of all. */
  value: string | null
  count: number
  /** Bytes of texts in UTF-8; 0 if not requested. */
  bytes: number
}

export interface DocumentReads {
  /**
   * Without a page: everything that the query selects, by address (`byAddress`: names compare by code point). With a
   * page: documents equal in all of `sort` come in order of creation, or the reverse if the last key is descending.
   * `fitsQuery` defines the query, `documentShapes` the shapes.
   */
  documents<F extends DocumentFields>(
    select: DocumentSelect,
    fields: F,
    page?: DocumentPage | TextOptions,
  ): Promise<Paged<DocumentShapes[F]>[]>
  /**
   * The number and size of documents. By value: most frequent first, then by value, none before all others; an empty
   * text counts as none, true and false as 1 and 0 (`totalsBy`).
   */
  totals(select: DocumentQuery | { ids: readonly number[] }, options?: TotalOptions): Promise<DocumentTotal[]>
  /**
   * Files: the names directly below a path ('' is the root), by code unit. The cost does not depend on what is below
   * them. A name with something below it is a folder. At most `limit` names; if there are more, the engine chooses.
   */
  fileEntries(memory: FileTree, path: string, limit: number): Promise<{ name: string; isFolder: boolean }[]>
  /** Versions of a document, newest first, including the current state. */
  documentVersions(documentId: number, page: { limit: number; before?: number }): Promise<DocumentVersion[]>
}
