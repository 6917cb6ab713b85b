import type { Address, DocumentKind } from '../model.ts'
import type { DocumentVersion, DoorDocument, DoorHead, DoorText } from './doors.ts'
import type { DocumentRow, DocumentState } from './rows.ts'
import type { Match } from './search.ts'
import type { StoredDocument } from './stored.ts'

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
  'client',
] as const
export type QueryAttribute = (typeof QUERY_ATTRIBUTES)[number]

export interface DocumentCondition {
  attribute: QueryAttribute
  /** One of these; null: it has none. */
  in: readonly (string | number | boolean | null)[]
}

export type DocumentSortKey =
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
  | 'expires_at'

/** A tree of files behind the files door. */
export interface FileTree {
  node: string
  scope: 'global' | 'perThread'
  thread: string
}

/** Which documents of one kind; each condition narrows. */
export interface DocumentQuery {
  kind: DocumentKind
  /** Default: live ones. */
  states?: readonly DocumentState[]
  /** Files on disk: of this compile root only. */
  root?: string
  /** Files on disk of one root: this path, and what is below it; '' is everything. */
  scope?: string
  /** Files: of this memory only. */
  memory?: FileTree
  /** Files: below this path, at any depth; '' is everything. */
  under?: string
  /** Keys and records: only the one that has this name. */
  name?: string
  /** All of them. */
  tags?: readonly string[]
  where?: readonly DocumentCondition[]
  /** Whose nodes have these words: each of them somewhere in the document. */
  words?: Match
  /** Those with live nodes. */
  hasNodes?: true
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

/**
 * Which documents. By address or id: in any state, in this order, without those that are not there. `own`: without those of other owners,
 * which nothing but an id leads to. By node: the one that it is in, or was in before it was removed, if it is one's own.
 */
export type DocumentSelect = DocumentPick | { ofNode: string } | DocumentQuery
export type DocumentPick = { at: readonly Address[] } | { ids: readonly number[]; own?: true }

/** How much is read of each document. */
export interface DocumentShapes {
  /** Which document it is, and what became of it. */
  row: DocumentRow
  /** All that is known of it, without its text. */
  head: DoorHead
  /** What is asked for most, and so the cheapest way to a text. */
  text: DoorText
  whole: DoorDocument
  /** All that is stored of it, for who is going to change it. */
  stored: StoredDocument
  /** As trees and hits show it. */
  name: { id: number; name: string }
  /** What its live nodes amount to. */
  size: { id: number; address: Address; name: string; nodes: number; tokens: number }
}
export type DocumentFields = keyof DocumentShapes

/** `total`: where a page asks for it. */
export type Paged<T> = T & { total?: number }

export interface TextOptions {
  /** Larger texts are not read: they are null. Default: all are read. */
  maxTextBytes?: number
}

export interface DocumentPage extends TextOptions {
  sort: readonly { by: DocumentSortKey; descending?: boolean }[]
  limit: number
  offset?: number
  /** Each document says how many there are on all pages: on some engines finding them counts them, too. */
  total?: true
}

export interface TotalOptions {
  /** One total for each value of an attribute, each tag or each root, and not one of all. */
  by?: QueryAttribute | 'tag' | 'root'
  /** The most values to return. */
  limit?: number
  /** The bytes of texts too, which may cost more than counting. Not by value. */
  bytes?: true
}

export interface DocumentTotal {
  /** Null: of documents without one, and of all of them. */
  value: string | null
  count: number
  /** Of texts, in UTF-8; 0 where they were not asked for. */
  bytes: number
}

export interface DocumentReads {
  /**
   * Without a page all that a query selects, by address (`byAddress`: names are compared by code point). With one, documents that are
   * equal in all of `sort` come in the order they were made, or the reverse where its last key is descending. What a query means is
   * said by `fitsQuery`, what a shape is by `documentShapes`.
   */
  documents<F extends DocumentFields>(
    select: DocumentSelect,
    fields: F,
    page?: DocumentPage | TextOptions,
  ): Promise<Paged<DocumentShapes[F]>[]>
  /**
   * How many documents there are, and how large they are. By value: most frequent first, then by value, none before all others; an
   * empty text counts as none, true and false as 1 and 0 (`totalsBy`).
   */
  totals(select: DocumentQuery | { ids: readonly number[] }, options?: TotalOptions): Promise<DocumentTotal[]>
  /**
   * Files: the names right below a path ('' is the root), by code unit; at their cost, whatever is below them. A name that has
   * something below it is a folder, whatever else it is. At most `limit` of them; which ones, where there are more, is the engine's choice.
   */
  fileEntries(memory: FileTree, path: string, limit: number): Promise<{ name: string; isFolder: boolean }[]>
  /** What a document was, newest first, its current state included. */
  documentVersions(documentId: number, page: { limit: number; before?: number }): Promise<DocumentVersion[]>
}
