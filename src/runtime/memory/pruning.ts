import { MemoryError, needs } from '../../core/errors.ts'
import { type PruneDeps, type PruneResult, pruneHistory } from '../../core/history/prune.ts'
import type { HistoryCost } from '../../core/port/history.ts'
import type { Maintenance, Store } from '../../core/port/store.ts'
import { parseLifetime } from '../../util/text/duration.ts'
import type { Config } from '../settings/config.ts'
import { historySettingsOf } from '../settings/history-settings.ts'
import { setTimer } from '../timing/timer.ts'
import { type PrunerHandlers, pausing, startPruner } from '../upkeep/pruner.ts'

export interface PruneOptions extends Pick<PruneDeps, 'onProgress' | 'signal' | 'caller'> {
  /** Younger snapshots stay: `90d`, `12h`. */
  keep: string
  /** The newest snapshots stay, however old they are. Default: 1000. */
  keepLast?: number | undefined
  /** Only count what would go. */
  dryRun?: boolean | undefined
}

export interface PruningParts {
  store: Store
  maintenance: Maintenance
  now: () => number
  holder: string
  settings: () => Config
  onProblem: (error: unknown) => void
  /** Background work until the memory is closed. */
  jobs: Set<{ stop(): Promise<void> }>
}

/** The parts of an open memory that shorten its history. */
export function createPruning({ store, maintenance, now, ...parts }: PruningParts) {
  const { jobs, settings, onProblem, holder } = parts
  const deps = { store, maintenance, now }
  return {
    /** Folds snapshots older than `keep` into the last one of their day. What the ones that stay read never changes. */
    async pruneHistory(options: PruneOptions): Promise<PruneResult> {
      needs(typeof options?.keep === 'string', 'pruneHistory needs { keep }: a duration such as 90d')
      const { keep, keepLast, dryRun, signal, ...others } = options
      const pause = (ms: number): Promise<void> => pausing(ms, setTimer, signal)
      return pruneHistory({ ...deps, ...others, signal, pause }, { keepMs: keepMsOf(keep), keepLast, dryRun })
    },
    /** Prunes as `history.keep` says, until the memory is closed. */
    startPruning(handlers: Partial<PrunerHandlers> = {}): void {
      const pruner = { ...deps, holder, settings: () => historySettingsOf(settings()) }
      jobs.add(startPruner(pruner, { onError: onProblem, ...handlers }))
    },
    /** What keeping the past costs. Reads the key of every version. */
    historyCost: (): Promise<HistoryCost> => deps.store.read((tx) => tx.historyCost()),
  }
}

function keepMsOf(keep: string): number {
  const ms = parseLifetime(keep)
  if (ms !== undefined) return ms
  throw new MemoryError('INVALID_INPUT', `keep must be a duration such as 90d or 12h, got ${keep}`)
}
