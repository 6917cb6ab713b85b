import type { Hash64 } from '../digest.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { ContentReads } from './contents.ts'
import type { DocumentReads } from './documents.ts'
import type { FileReads } from './file-facts.ts'
import type { HistoryReads } from './history.ts'
import type { LinkReads } from './links.ts'
import type { NodeReads } from './nodes.ts'
import type { SnapshotRow } from './rows.ts'
import type { ScanReads } from './scan.ts'
import type { SearchReads } from './search.ts'
import type { WriteSet } from './write-set.ts'

export type { VersionRow, VersionState } from './history.ts'
export type { DocumentNodeRow, DocumentRow, DocumentState, NodeRow, Overlay, SnapshotRow } from './rows.ts'

/** The store port: the only way to stored data. `read` and `write` are one transaction each. */
export interface Store {
  /** Inside `fn` await only `tx`. Results belong to the caller: changing them does not change stored data. */
  read<T>(fn: (tx: ReadTx) => Promise<T>, options?: ReadTxOptions): Promise<T>
  /** Runs a query. It sees every write acknowledged before the call; a query aborted before it begins never runs. */
  query<I, O>(query: StoreQuery<I, O>, input: I, options?: { signal?: AbortSignal | undefined }): Promise<O>
  /** Runs an operation. If it throws, nothing changes; once it resolves, the change is durable. */
  write<I, O>(operation: Operation<I, O>, input: I, call?: Call): Promise<O>
  /** A capability: runs a large operation in an empty memory of its own, while others write to this one. */
  readonly stage?: <I, O>(operation: Operation<I, O>, input: I, call?: Call) => Promise<Staged<O>>
}

/** What an operation stored in a memory of its own. Nobody else sees it until a write takes it over (`Call.staged`, `WriteSet.adopt`). */
export interface Staged<O> extends Pick<Store, 'read'> {
  result: O
  /** For `Call.staged`. */
  name: string
  /** Removes it, whether or not it was taken over. To be called in any case. */
  discard(): Promise<void>
}

export interface ReadTxOptions {
  /**
   * true: includes nodes of expired keys that are not removed yet. For reads of everything stored, now or in the past:
   * doctor, exports, history.
   */
  includeExpired?: boolean
}

/**
 * A read that may take long: an engine may run it in another thread. So input and output are plain data, and it uses
 * only them and `tools`.
 */
export interface StoreQuery<I, O> {
  /** Unique among `QUERIES`. */
  readonly name: string
  run(tools: QueryTools, input: I): Promise<O>
}

export interface QueryTools {
  store: Pick<Store, 'read'>
  /** What lasts as long as the engine does here: for what queries keep of the memory. */
  handle: object
  hash: Hash64
  /** The time of the call, in milliseconds since 1970. */
  now: number
}

/**
 * A change that an engine runs where its data is, in another thread or in place. So input and result are plain data,
 * and it uses only them, the transaction and `tools`. Slow work comes before it.
 */
export interface Operation<I, O> {
  /** Unique among `OPERATIONS`. */
  readonly name: string
  /** Links do not follow from its changes: it writes all of them itself. */
  readonly makesLinks?: true
  /** An engine calls it through `runOperation`. */
  run(tx: WriteTx, input: I, tools: OperationTools): Promise<O>
}

export interface OperationTools {
  hash: Hash64
  /** In hex: for what must not be forged. */
  sha256: (text: string) => string
  /** The beginning of the transaction, in milliseconds since 1970. */
  now: number
  /** The items of `Call.source`. */
  source: AsyncIterable<unknown>
}

/** How to run an operation. */
export interface Call {
  /** false: fails with UNAVAILABLE immediately, before it begins, if another write is in progress. */
  wait?: boolean
  /** false: a power failure soon after may undo it; such a write completes sooner. */
  durable?: boolean
  /**
   * An operation aborted before its turn never begins, and one aborted while it runs changes nothing. One that has run
   * is stored, whether or not the engine has committed it by then.
   */
  signal?: AbortSignal | undefined
  /** Input that is too large for memory, read piece by piece by the operation. If it fails, so does the write. */
  source?: AsyncIterable<unknown>
  /** The name of what `WriteSet.adopt` takes over. */
  staged?: string
}

/** Work on all stored data, outside any transaction. */
export interface Maintenance {
  /** A capability of engines that keep their data in files. */
  readonly files?: FileMaintenance
  /**
   * Overwrites deleted data, in journals too. Returns false if another reader prevents it: retry later. `wait: false`
   * does not wait for readers, so that writes are not delayed; for callers that retry anyway.
   */
  scrub(options?: { wait?: boolean }): Promise<boolean>
  sizeBytes(): Promise<number>
  /**
   * Runs every check (`checkMemory`) over all stored data, including expired keys, as of one moment, without blocking
   * reads and writes. Unreadable data is reported.
   */
  check(): Promise<CheckResult[]>
}

/** `waits`: a reader still needs the journal; try again later. */
export type Reclaimed = 'more' | 'waits' | 'done'

export interface FileMaintenance {
  /**
   * Gives some of the space of deleted rows back to the system, without blocking readers. The file shrinks with the journal.
   * `rewrite`: a file that cannot do that yet is rewritten once, if it is worth it; other writers wait meanwhile.
   */
  reclaim(options: { rewrite: boolean }): Promise<Reclaimed>
  /**
   * Writes a consistent copy of everything to `file`, without erased data. Fails if `file` exists, or if the schema has
   * parts that remindb did not create.
   */
  backup(file: string): Promise<void>
  /**
   * Removes from the schema everything that remindb did not create, and recreates missing parts, after writing a copy
   * to `backup`. Runs nothing that the schema holds before that. If it throws, nothing was changed.
   */
  repairSchema(backup: string): Promise<void>
}

/** An open engine: the store, its maintenance and its change feed. Close it after use. */
export interface Engine extends ChangeFeed {
  store: Store
  maintenance: Maintenance
  close(): Promise<void>
}

export type NewSnapshot = Pick<SnapshotRow, 'author' | 'operation' | 'message' | 'root' | 'createdAt'>

/** Totals of a memory. */
export interface SpaceSummary {
  /** As stored, without those that are 0. */
  counters: Record<string, number>
  snapshots: number
  /** Rows of the search index. */
  indexRows: number
  heat: HeatSummary
}

/** Over all live nodes. */
export interface HeatSummary {
  avg: number
  /** Median heat of the nodes. */
  median: number
  /** At least `hot`, below `cold`; includes pinned nodes. */
  hot: number
  cold: number
  pinned: number
}

export type CheckStatus = 'pass' | 'warn' | 'fail'

export interface CheckResult {
  name: string
  status: CheckStatus
  detail: string
}

/** The check of an engine's search index. Repairing it rebuilds the index from the nodes. */
export const INDEX_CHECK = 'fts5_sync'

/** Checks that only the engine can do: its files, its schema, its search index. */
export interface EngineChecks {
  checks: CheckResult[]
  /** False: nothing else can be read. The schema is old, or has foreign parts. */
  isReadable: boolean
  /** The engine's clock, in milliseconds since 1970: later times were stored by a wrong clock. */
  now: number
}

export interface ReadTx
  extends NodeReads,
    ContentReads,
    FileReads,
    LinkReads,
    ScanReads,
    SearchReads,
    HistoryReads,
    DocumentReads {
  /**
   * Heat depends on the time of the last tick, so this reads all nodes; an engine may cache it until the next write.
   */
  summary(thresholds: { hot: number; cold: number }): Promise<SpaceSummary>
  engineChecks(): Promise<EngineChecks>
}

/** The steps of a write transaction. */
export interface WriteTx extends ReadTx {
  /**
   * Later reads see the set. An engine may delay sending it: a failure shows at the end of the transaction at the
   * latest.
   */
  commit(set: WriteSet): Promise<void>
  /** Repairs what one of `engineChecks` reports, if possible. */
  engineHeal(check: string): Promise<void>
}
