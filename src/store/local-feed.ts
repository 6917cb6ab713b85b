import type { ChangeHandler, WatchOptions } from '../core/port/change-feed.ts'
import { closedError } from './call-errors.ts'

/** Notifies watchers of what this process commits, in the microtask after the commit. */
export function createLocalFeed() {
  const watching = new Set<(kinds: ReadonlySet<string>) => void>()
  let isClosed = false
  return {
    watch(handler: ChangeHandler, { onError = () => undefined }: WatchOptions = {}): () => void {
      if (isClosed) throw closedError()
      let waiting = new Set<string>()
      const collect = (kinds: ReadonlySet<string>): void => {
        if (waiting.size === 0) queueMicrotask(flush)
        for (const kind of kinds) waiting.add(kind)
      }
      function flush(): void {
        const kinds = waiting
        waiting = new Set()
        // A subscriber that throws must not miss the next change.
        if (watching.has(collect)) void (async () => handler(kinds))().catch(onError)
      }
      watching.add(collect)
      return () => void watching.delete(collect)
    },
    notify(kinds: ReadonlySet<string>): void {
      for (const collect of watching) collect(kinds)
    },
    close(): void {
      isClosed = true
      watching.clear()
    },
  }
}
