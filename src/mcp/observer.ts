import type { DoctorReport } from '../core/doctor.ts'
import type { FilesEnvelope } from '../core/files.ts'
import type { SearchAnswer } from '../core/find/search-model.ts'
import type { ForestEnvelope, ForestInput } from '../core/forest.ts'
import type { GraphEnvelope } from '../core/graph.ts'
import type { OverviewEnvelope } from '../core/overview.ts'
import type { LogFields, LogLevel } from '../util/log.ts'

/**
 * What can be seen of a memory and of the server, without being felt: nothing here warms, locks or records, and the handle
 * underneath cannot write. The keys and their order in every envelope are locked: others parse them.
 */
export interface Observer {
  overview(): Promise<OverviewEnvelope>
  files(): Promise<FilesEnvelope>
  forest(input?: ForestInput): Promise<ForestEnvelope>
  graph(): Promise<GraphEnvelope>
  snapshots(page?: { limit?: number }): Promise<SnapshotsEnvelope>
  diffs(snapshotId: number): Promise<DiffsEnvelope>
  temperature(): Promise<TemperatureEnvelope>
  doctor(): Promise<DoctorReport>
  search(input: { query: string; limit?: number }): Promise<SearchAnswer>
  logs(): LogsEnvelope
  sessions(): SessionsEnvelope
  sessionsHistory(): Promise<SessionsHistoryEnvelope>
  /** Undefined: no client has this hash. */
  findClientHistory(hash: string): Promise<ClientHistory | undefined>
  sessionsLogs(): Promise<SessionsLogsEnvelope>
  /** Undefined: there is no log of this session. */
  findSessionLog(id: string): Promise<SessionLogEnvelope | undefined>
  rescan(): Promise<RescanEnvelope>
}

export interface SnapshotsEnvelope {
  snapshots: {
    id: number
    parent_id: number | null
    message: string
    compile_root: string
    /** Unix seconds, as every time below that does not say otherwise. */
    created_at: number
    is_head: boolean
  }[]
}

export interface DiffsEnvelope {
  snapshot_id: number
  diffs: {
    op: 'add' | 'mod' | 'rem'
    node_id: string
    old_hash: string
    new_hash: string
    old_content: string
    new_content: string
  }[]
}

export interface TemperatureEnvelope {
  summary: {
    avg: number
    median: number
    hot: number
    cold: number
    pinned: number
    cold_threshold: number
    hot_threshold: number
  }
  nodes: { id: string; label: string; temperature: number; pinned: boolean }[]
}

export interface LogsEnvelope {
  /** Oldest first; `time` in Unix milliseconds. */
  records: { time: number; level: LogLevel; msg: string; attrs: LogFields }[]
  dropped: number
}

/** What a client says of itself: shown, never trusted. */
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

/** One look at the source; also a line of `rescan.jsonl`. */
export interface RescanMeta {
  /** 0: never. */
  run_at: number
  error: string
  added: number
  modified: number
  removed: number
  purged_files: { path: string; nodes: number }[]
}
