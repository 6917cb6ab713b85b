import type { SettingName } from '../settings/settings.ts'

/** How a memory is opened. */
export interface OpenOptions {
  /** The database file, or a folder whose `.remindb/memory.db` is meant. */
  db: string
  /** Create the database when there is none. Default: true. */
  create?: boolean
  /** Write nothing: calls that would are refused, and what is read does not get warmer. Default: false. */
  readOnly?: boolean
  /** The folder that the memory is compiled from: its `.remindb` then holds the settings, wherever the database is. */
  source?: string
  /** Whether folders that are named, by `source` or `compile`, are remembered for other processes. Default: true. */
  rememberRoots?: boolean
  /** Settings by name; they win over the environment and every file. */
  settings?: Partial<Record<SettingName, unknown>>
  /** Milliseconds since 1970. Default: the system's clock. */
  now?: () => number
  /** Told of what goes wrong in the background: reads that could not warm, edits of the settings that cannot be used. */
  onProblem?: (error: unknown) => void
  /** Told of such reads instead: how many nodes did not get warmer. */
  onHeatLost?: (error: unknown, nodes: number) => void
  /** Told of such edits instead: whoever made one wants to know what is wrong with it. */
  onInvalidSettings?: (error: unknown) => void
  /** Called instead when a folder that was named, by `source` or `compile`, cannot be remembered for other processes. */
  onNotRemembered?: (error: unknown) => void
  /**
   * Told instead of settings that do not apply: those that a folder may not set unless it is trusted, once, and edits of what
   * is only read when a memory is opened.
   */
  onIgnoredSettings?: (notice: unknown) => void
  /** Called with the copy that was made of a database of an older remindb, before its schema was changed. */
  onMigration?: (backup: string) => void
}
