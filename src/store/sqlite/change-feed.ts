import type { Database } from 'better-sqlite3'
import { CHANGE_KINDS, type ChangeHandler, type WatchOptions } from '../../core/port/change-feed.ts'
import { closedError } from '../call-errors.ts'
import { preparing } from './database/driver.ts'
import { isBusy, translateError, translating } from './database/errors.ts'
import { isOutdatedCopy, openReader } from './database/open.ts'
import { KEPT_ROWS } from './writes/change-rows.ts'

const INTERVAL_MS = 200

/** Reports what other handles wrote, including those of this process: every watcher has a handle of its own. */
export function createChangeFeed(file: string, open: (file: string) => Database = openReader) {
  const running = new Set<() => void>()
  let isClosed = false

  function watch(handler: ChangeHandler, options: WatchOptions = {}): () => void {
    if (isClosed) throw closedError()
    const { intervalMs = INTERVAL_MS, onError = () => undefined } = options
    const { look, close } = createLook(file, open)
    let isFailing = false

    function poll(): void {
      try {
        const kinds = look()
        isFailing = false
        // A handler that fails must not stop the polling.
        if (kinds.size > 0) void (async () => handler(kinds))().catch(onError)
      } catch (error) {
        if (isBusy(error)) return
        if (!isFailing) onError(translateError(error))
        isFailing = true
      }
    }

    const timer = setInterval(poll, intervalMs)
    timer.unref()
    const stop = (): void => {
      if (!running.delete(stop)) return
      clearInterval(timer)
      close()
    }
    running.add(stop)
    return stop
  }

  return {
    watch,
    close(): void {
      isClosed = true
      for (const stop of [...running]) stop()
    },
  }
}

function createLook(file: string, open: (file: string) => Database) {
  let seen = 0
  let version: number | undefined
  // A damaged database can be opened; it fails here.
  let db = translating(() =>
    preparing(openToLook(), (opened) => {
      seen = opened.prepare('SELECT coalesce(max(sequence), 0) FROM changes').pluck().get() as number
    }),
  )

  function openToLook(): Database {
    const opened = open(file)
    // It polls in the main thread, and polls again anyway: it never waits for a lock.
    opened.pragma('busy_timeout = 0')
    return opened
  }
  /** A folder that was read-only may have become writable: subscribers are notified of what was written since. */
  function renew(): void {
    const next = openToLook()
    db.close()
    db = next
    version = undefined
  }

  return {
    /** The kinds of changes committed since the last call. Takes microseconds if there are none. */
    look(): ReadonlySet<string> {
      if (isOutdatedCopy(db, file)) renew()
      const current = db.pragma('data_version', { simple: true }) as number
      if (current === version) return new Set()
      const rows = db
        .prepare<[number], { kind: string; last: number }>(
          'SELECT kind, max(sequence) AS last FROM changes WHERE sequence > ? GROUP BY kind',
        )
        .all(seen)
      const last = Math.max(seen, ...rows.map((row) => row.last))
      // So far behind that unseen rows may have been removed, as after a long sleep of the machine.
      const all = last - seen > KEPT_ROWS ? CHANGE_KINDS : []
      // Only now, so that the next call covers a failed one.
      version = current
      seen = last
      return new Set([...rows.map(({ kind }) => kind), ...all])
    },
    close: (): void => void db.close(),
  }
}
