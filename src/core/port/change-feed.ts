/**
 * What can happen to a memory. The operation of a snapshot; or what changes without one: a link by hand, time that passed
 * (`tick`), nodes that were reported as cold, a look at the source that found something, and the rest (`update`): heat,
 * pins, facts of files.
 */
export const CHANGE_KINDS = [
  'compile',
  'write',
  'summarize',
  'forget',
  'rollback',
  'erase',
  'import',
  'record',
  'key',
  'file',
  'relate',
  'tick',
  'cold',
  'rescan',
  'update',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/**
 * Told of what happened since it was last told, each kind once, whoever did it: this process or another. A write with a snapshot is known
 * by its operation and by the `changes` of its sets; one without by those, or as `update`. One that changed no row is not told.
 */
export type ChangeHandler = (kinds: ReadonlySet<string>) => void

export interface WatchOptions {
  /** How often to look, where the engine cannot wait to be woken. */
  intervalMs?: number
  /** Told when looking fails, once until it works again; it is tried again in any case. */
  onError?: (error: unknown) => void
}

export interface ChangeFeed {
  /** Tells of every write that is committed from now on, soon after, and of none that is not. Returns how to stop. */
  watch(handler: ChangeHandler, options?: WatchOptions): () => void
}
