import { isAbsence } from '../../util/files/absence.ts'
import type { Log } from '../../util/log.ts'
import type { WatchFolder } from './watch-folder.ts'

export interface RescanWatchInput {
  /** Missing: it scans at intervals only. */
  watch: WatchFolder | undefined
  folder: string
  log: Log
  onChange: () => void
}

/** Watches a folder as well as the system allows. Missed changes are found at the next interval. */
export function createRescanWatch({ watch, folder, log, onChange }: RescanWatchInput) {
  let watching: Promise<(() => Promise<void>) | undefined> | undefined
  let isRefused = watch === undefined

  async function begin(start: WatchFolder): Promise<(() => Promise<void>) | undefined> {
    try {
      return await start(folder, { onChange, onLost })
    } catch (error) {
      if (isAbsence(error)) {
        // It may reappear.
        watching = undefined
        return undefined
      }
      // Not tried again: limits of the system stay, and trying costs a walk through the whole folder.
      isRefused = true
      const reason = error instanceof Error ? error.message : String(error)
      log.warn('rescan: cannot watch the source, scanning at intervals only', { err: reason })
      return undefined
    }
  }

  function onLost(): void {
    void end()
    onChange()
  }

  async function end(): Promise<void> {
    const ending = watching
    watching = undefined
    try {
      await (await ending)?.()
    } catch (error) {
      log.debug('rescan: could not stop watching', { err: String(error) })
    }
  }

  return {
    /** Starts, or starts again after the folder was missing. Not awaited. */
    start(): void {
      if (watch && !isRefused) watching ??= begin(watch)
    },
    stop: end,
  }
}
