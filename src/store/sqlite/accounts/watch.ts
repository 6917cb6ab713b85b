import { isBusy } from '../database/errors.ts'

const INTERVAL_MS = 200

/**
 * Notifies watchers of writes: of this handle at once, of others at the next look; and once, for the last time, when the file is
 * lost. It looks only while somebody watches.
 */
export function createWatch(dataVersion: () => number, isLost: () => boolean) {
  const watchers = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let seen: number | undefined

  function look(): void {
    try {
      if (isLost()) {
        end()
      } else {
        const version = dataVersion()
        if (version === seen) return
        seen = version
      }
    } catch (error) {
      if (isBusy(error)) return
      // Whoever relies on being notified finds out that nothing can be read.
    }
    notify()
  }

  function notify(): void {
    // Somebody else's code: what was stored is stored, whatever it does.
    for (const onChange of [...watchers]) void (async () => onChange())().catch(() => undefined)
  }

  /** Where that cannot be told, the next look notifies. */
  function begin(): void {
    try {
      seen = dataVersion()
    } catch {
      seen = undefined
    }
    timer = setInterval(look, INTERVAL_MS).unref()
  }

  function end(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    notify,
    watch(onChange: () => void): () => void {
      // An object of its own: the same function may watch twice.
      const watcher = (): void => onChange()
      watchers.add(watcher)
      if (timer === undefined) begin()
      return () => {
        watchers.delete(watcher)
        if (watchers.size === 0) end()
      }
    },
    stop(): void {
      watchers.clear()
      end()
    },
  }
}
