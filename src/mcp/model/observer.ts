import type { AuditEnvelope } from '../../core/audit/page.ts'
import type { DoctorReport } from '../../core/doctor/doctor.ts'
import type { FirstLook } from '../../core/find/map/first-look.ts'
import type { FetchAnswer, FetchInput } from '../../core/find/read/fetch-model.ts'
import type { SearchAnswer } from '../../core/find/search-model.ts'
import type { KeyView } from '../../core/keys/door.ts'
import type { Changes, ChangesInput } from '../../core/observe/changes.ts'
import type { DiffsEnvelope } from '../../core/observe/diffs.ts'
import type { FilesEnvelope } from '../../core/observe/files.ts'
import type { ForestInput } from '../../core/observe/forest.ts'
import type { ForestPage } from '../../core/observe/forest-page.ts'
import type { GraphEnvelope } from '../../core/observe/graph.ts'
import type { LogEnvelope } from '../../core/observe/log.ts'
import type { OverviewCounts, OverviewEnvelope } from '../../core/observe/overview.ts'
import type { SnapshotsEnvelope } from '../../core/observe/snapshots.ts'
import type { TemperaturePage } from '../../core/observe/temperature.ts'
import type { NextPage, PageInput } from '../../core/page.ts'
import type { AsOf, MaybePast } from '../../core/port/history.ts'
import type { CustomView } from '../../core/records/custom-view.ts'
import type { ViewName, ViewOptions } from '../../core/records/views.ts'
import type { LogFields, LogLevel } from '../../util/log.ts'

/** The half that reads the database. A page costs the page; the whole of a large memory may be too large for one answer. */
export interface MemoryObserver {
  /** The same memory for one client. */
  for(client: ObservingClient): MemoryObserver
  overview(): Promise<OverviewEnvelope>
  overviewCounts(): Promise<OverviewCounts>
  files(): Promise<FilesEnvelope>
  firstLook(): Promise<FirstLook>
  /** The JSON texts of whole envelopes. `paged`: the URI of a page, named in the error if the envelope is too large for one answer. */
  forestText(input: ForestInput, paged: string): Promise<string>
  forestPage(input: ForestInput & PageInput & AsOf): Promise<ForestPage & MaybePast>
  fetch(input: FetchInput): Promise<FetchAnswer>
  /** Between two moments, all in all. */
  changes(input: ChangesInput): Promise<Changes>
  graphText(paged: string): Promise<string>
  graphPage(page: PageInput): Promise<GraphEnvelope & NextPage>
  snapshots(newest?: { limit?: number }): Promise<SnapshotsEnvelope>
  snapshotsPage(page: PageInput): Promise<SnapshotsEnvelope & NextPage>
  /** `path`: a document or folder, as the tree shows it. */
  logPage(page: LogFilter & PageInput): Promise<LogEnvelope & NextPage>
  diffsText(snapshotId: number, paged: string): Promise<string>
  diffsPage(input: PageInput & { snapshotId: number }): Promise<DiffsEnvelope & NextPage>
  temperatureText(paged: string): Promise<string>
  temperaturePage(page: PageInput): Promise<TemperaturePage>
  doctor(): Promise<DoctorReport>
  auditPage(page: PageInput): Promise<AuditEnvelope & NextPage>
  search(input: { query: string; limit?: number }): Promise<SearchAnswer>
  keyIndex: KeyView['index']
  findKey: KeyView['findContent']
  keyVersion: KeyView['version']
  /** The JSON text of a `ViewEnvelope`. */
  recordView(name: ViewName, options?: ViewOptions): Promise<string>
  /** Undefined: there is no view of this name. */
  findCustomView(name: string, options?: ViewOptions): Promise<string | undefined>
  /** Changes whenever the content of the view changes. */
  recordStamp(name: ViewName, options?: ViewOptions): Promise<string>
  customStamp(name: string, options?: ViewOptions): Promise<string>
}

export interface LogFilter {
  author?: string
  operation?: string
  path?: string
}

/** The client on whose behalf a memory is observed, and what it may see. */
export interface ObservingClient {
  /** A query that has not begun when it is aborted never begins. */
  signal?: AbortSignal | undefined
  /** Shows only keys that this author stored, unless `keys.resources` is `space`. Default: every key. */
  owner?: string | undefined
  /** Stands for every path of the host, such as `space:acme`. Default: paths are shown. */
  mask?: string | undefined
}

/** The state of the server itself. It is available if the memory cannot be opened, when the log is most useful. */
export interface ServerObserver {
  logs(): LogsEnvelope
  /** Views of records that the settings define, as they were at the start. */
  customViews(): readonly CustomView[]
  sessions(): Promise<SessionsEnvelope>
}

/**
 * Views of a memory and of the activity of its servers, without side effects: nothing here warms, locks or records, and the handle
 * underneath cannot write. The keys and their order in every envelope are locked: others parse them.
 */
export interface Observer extends MemoryObserver {
  sessionsHistory(): Promise<SessionsHistoryEnvelope>
  /** Undefined: no client has this hash. */
  findClientHistory(hash: string): Promise<ClientHistory | undefined>
  sessionsLogs(): Promise<SessionsLogsEnvelope>
  /** Undefined: there is no log of this session. */
  findSessionLog(id: string): Promise<SessionLogEnvelope | undefined>
  rescan(): Promise<RescanEnvelope>
}

export interface LogsEnvelope {
  /** Oldest first; `time` in Unix milliseconds, unlike other times below: those are in seconds unless stated otherwise. */
  records: { time: number; level: LogLevel; msg: string; attrs: LogFields }[]
  dropped: number
}

/** How a client describes itself: shown, never trusted. */
export interface ClientMeta {
  name: string
  title?: string
  version: string
  protocol: string
}

export type TransportName = 'stdio' | 'http'

export interface SessionsEnvelope {
  db_path: string
  sessions: {
    id: string
    client_meta: ClientMeta
    transport: TransportName
    /** Only over HTTP. */
    listen?: string
    connected_at: number
    last_activity: number
    count_tool_calls: number
  }[]
}

export interface SessionsHistoryEnvelope {
  db_path: string
  clients: ClientHistory[]
}

export interface ClientHistory {
  hash: string
  client: ClientMeta
  transport: TransportName
  sessions: number
  lifetime_seconds: number
  /** 0: none has ended cleanly yet. */
  last_disconnect: number
  tool_calls: number
}

export interface SessionsLogsEnvelope {
  db_path: string
  logs: { session_id: string; size_bytes: number; rotated: boolean; modified_at: number }[]
}

export interface SessionLogEnvelope {
  session_id: string
  entries: SessionLogEntry[]
}

/** Also a line of the file. */
export interface SessionLogEntry {
  /** RFC 3339. */
  time: string
  level: LogLevel
  msg: string
  /** Missing when empty. */
  fields?: LogFields
}

export interface RescanEnvelope {
  interval_s: number
  last_meta: RescanMeta
}

/** One scan of the source; also a line of `rescan.jsonl`. */
export interface RescanMeta {
  /** 0: never. */
  run_at: number
  error: string
  added: number
  modified: number
  removed: number
  purged_files: { path: string; nodes: number }[]
}
