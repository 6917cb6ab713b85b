/**
 * What can happen to a memory: the operation of a snapshot, or a change without one: a manual link, elapsed time
 * (`tick`), nodes reported as cold, a rescan that found something, entries of the audit, history that was pruned, and everything else (`update`): heat, pins, file
 * facts.
 */
export const CHANGE_KINDS = [
  'compile',
  'write',
  'summarize',
  'forget',
  'rollback',
  'restore',
  'revert',
  'erase',
  'import',
  'record',
  'key',
  'file',
  'relate',
  'checkpoint',
  'tick',
  'cold',
  'rescan',
  'audit',
  'prune',
  'update',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/**
 * Receives each kind of change since the last call once, from this process or another. A write with a snapshot reports
 * its operation and the `changes` of its sets; one without reports those, or `update`. A write that changed no row is
 * not reported.
 */
export type ChangeHandler = (kinds: ReadonlySet<string>) => void

export interface WatchOptions {
  /** The polling interval, for engines that cannot wait for a signal. */
  intervalMs?: number
  /** Called when polling fails, once until it works again; polling continues either way. */
  onError?: (error: unknown) => void
}

export interface ChangeFeed {
  /** Reports every write committed from now on, soon after its commit. Returns a function that stops it. */
  watch(handler: ChangeHandler, options?: WatchOptions): () => void
}
