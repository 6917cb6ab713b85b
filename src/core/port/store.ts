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

/** The store port: these are the only ways to what is stored. `read` and `write` are one transaction each. */
export interface Store {
  /** Inside `fn` await only `tx`. Answers are the caller's own: changing them changes nothing that is stored. */
  read<T>(fn: (tx: ReadTx) => Promise<T>, options?: ReadTxOptions): Promise<T>
  /** Answers a query. It sees whatever was acknowledged before it was asked; one that is aborted before it begins never begins. */
  query<I, O>(query: StoreQuery<I, O>, input: I, options?: { signal?: AbortSignal | undefined }): Promise<O>
  /** Runs an operation. One that throws changes nothing; once it resolves, the change is durable. */
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
   * true: also the nodes of keys that have expired and that nobody has removed yet. For what tells what is stored, or what
   * was: doctor, exports, history.
   */
  includeExpired?: boolean
}

/**
 * A question that can travel, for what takes long to answer: an engine may run it in another thread. So its input and its answer are plain
 * data, and it knows nothing but them and `tools`.
 */
export interface StoreQuery<I, O> {
  /** Unique among `QUERIES`. */
  readonly name: string
  run(tools: QueryTools, input: I): Promise<O>
}

export interface QueryTools {
  store: Pick<Store, 'read'>
  hash: Hash64
  /** When it was asked: milliseconds since 1970. */
  now: number
}

/**
 * A change that can travel: an engine runs it where its data is, in another thread or in place. So its input and its result are
 * plain data, and it knows nothing but them, the transaction and `tools`. Slow work comes before it.
 */
export interface Operation<I, O> {
  /** Unique among `OPERATIONS`. */
  readonly name: string
  /** What it changes is not followed by links: it makes all of them itself. */
  readonly makesLinks?: true
  /** An engine calls it through `runOperation`. */
  run(tx: WriteTx, input: I, tools: OperationTools): Promise<O>
}

export interface OperationTools {
  hash: Hash64
  /** When the transaction began: milliseconds since 1970. */
  now: number
  /** What `Call.source` gives. */
  source: AsyncIterable<unknown>
}

/** How an operation is carried out. */
export interface Call {
  /** false: fails with UNAVAILABLE at once, before it begins, where another write is in the way. */
  wait?: boolean
  /** false: a loss of power soon after may undo it, and whatever needs no more than that is stored sooner. */
  durable?: boolean
  /**
   * An operation that is aborted before its turn never begins, and one that is aborted while it runs changes nothing. One that has run is
   * stored, whether or not an engine has committed it by then.
   */
  signal?: AbortSignal | undefined
  /** Input that is too large to be held at once, piece by piece, as the operation asks for it. Where it fails, so does the write. */
  source?: AsyncIterable<unknown>
  /** The name of what `WriteSet.adopt` takes over. */
  staged?: string
}

/** What an engine does with everything it stores, outside any transaction. */
export interface Maintenance {
  /** A capability: only an engine that keeps its data in files of its own has it. */
  readonly files?: FileMaintenance
  /**
   * Overwrites what was deleted, in journals too. `false`: another reader is in the way, try again later. `wait: false`: does not wait for
   * readers, so that writes are not held up; for callers that retry anyway.
   */
  scrub(options?: { wait?: boolean }): Promise<boolean>
  sizeBytes(): Promise<number>
  /**
   * Runs every check (`checkMemory`) over all that is stored, expired keys too, as it is at one moment, without holding up reads and
   * writes. What cannot be read is reported.
   */
  check(): Promise<CheckResult[]>
}

export interface FileMaintenance {
  /**
   * A consistent copy of everything, without what was erased, written to `file`. Fails when `file` exists, or when the schema
   * has parts that remindb did not make.
   */
  backup(file: string): Promise<void>
  /**
   * Removes from the schema what remindb did not make, and makes again what is missing, after a copy was written to `backup`.
   * Nothing that the schema holds is run before. Throws where that cannot be done; then nothing was changed.
   */
  repairSchema(backup: string): Promise<void>
}

/** An open engine: the store, its upkeep, what happens to it, and the way to let go of it. */
export interface Engine extends ChangeFeed {
  store: Store
  maintenance: Maintenance
  close(): Promise<void>
}

export type NewSnapshot = Pick<SnapshotRow, 'author' | 'operation' | 'message' | 'root' | 'createdAt'>

/** What there is altogether. */
export interface SpaceSummary {
  /** As they are kept, without those that are 0. */
  counters: Record<string, number>
  snapshots: number
  /** Rows of the search index. */
  indexRows: number
  heat: HeatSummary
}

/** Of all live nodes. */
export interface HeatSummary {
  avg: number
  /** That of the node at half their number, by ascending heat. */
  median: number
  /** At least `hot`, below `cold`: pinned nodes count too. */
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

/** The check of an engine's search index. To repair it is to build the index again from the nodes. */
export const INDEX_CHECK = 'fts5_sync'

/** What only an engine can check: its files, its schema, its search index. */
export interface EngineChecks {
  checks: CheckResult[]
  /** False: nothing else may be asked of this memory. Its schema is old, or not ours alone. */
  isAskable: boolean
  /** By the clock of the engine, in milliseconds since 1970: what is ahead of it was stored by a clock that was wrong. */
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
  /** Heat follows from the time of the last tick, and so all nodes are looked at: an engine may remember it until somebody writes. */
  summary(thresholds: { hot: number; cold: number }): Promise<SpaceSummary>
  engineChecks(): Promise<EngineChecks>
}

/** What a transaction can do, step by step. */
export interface WriteTx extends ReadTx {
  /** What is asked afterwards sees the set. An engine may send it with that: a failure shows at the end of the transaction at the latest. */
  commit(set: WriteSet): Promise<void>
  /** Repairs what one of `engineChecks` is about, if that can be. */
  engineHeal(check: string): Promise<void>
}
