import type { SettingName } from '../settings/settings.ts'

/** How a memory is opened. */
export interface OpenOptions {
  /** The database file, or a folder with a `.remindb/memory.db`. */
  db: string
  /** Create the database when there is none. Default: true. */
  create?: boolean
  /** Write nothing: writes are refused, and reads do not warm. Default: false. */
  readOnly?: boolean
  /** The folder that the memory is compiled from: its `.remindb` then holds the settings, even if the database is elsewhere. */
  source?: string
  /** Whether folders that are named, by `source` or `compile`, are remembered for other processes. Default: true. */
  rememberRoots?: boolean
  /** Settings by name; they win over the environment and every file. */
  settings?: Partial<Record<SettingName, unknown>>
  /** Milliseconds since 1970. Default: the system's clock. */
  now?: () => number
  /** Called with background failures: reads that could not warm, invalid edits of the settings. */
  onProblem?: (error: unknown) => void
  /** Called for such reads instead, with the number of nodes that did not get warmer. */
  onHeatLost?: (error: unknown, nodes: number) => void
  /** Called for such edits instead, so that their author can be notified. */
  onInvalidSettings?: (error: unknown) => void
  /** Called instead when a folder that was named, by `source` or `compile`, cannot be remembered for other processes. */
  onNotRemembered?: (error: unknown) => void
  /**
   * Called instead with settings that do not apply: once with those that a folder may not set unless it is trusted, and with edits
   * of settings that are only read when a memory is opened.
   */
  onIgnoredSettings?: (notice: unknown) => void
  /** Of a space: its audit. Default: a memory that belongs to one person has none. */
  audit?: AuditOptions
  /** Called with the copy that was made of a database of an older remindb, before its schema was changed. */
  onMigration?: (backup: string) => void
}

export interface AuditOptions {
  /** What nobody known does is recorded too, as done by the operator. Default: true. */
  recordsOperator?: boolean
  /** How long entries are kept. Default: nothing is removed. */
  retentionMs?: number
  /** Called instead of `onProblem` when its end cannot be kept, or is no longer the one that was kept. */
  onProblem?: (error: unknown) => void
}
