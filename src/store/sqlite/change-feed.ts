import type { Database } from 'better-sqlite3'
import { CHANGE_KINDS, type ChangeHandler, type WatchOptions } from '../../core/port/change-feed.ts'
import { closedError } from '../call-errors.ts'
import { preparing } from './database/driver.ts'
import { isBusy, translateError, translating } from './database/errors.ts'
import { isOutdatedCopy, openReader } from './database/open.ts'
import { KEPT_ROWS } from './writes/change-rows.ts'

const INTERVAL_MS = 200

/** Tells what other handles wrote: those of this process too, since every watcher has a handle of its own. */
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
        // Somebody else's code: whatever it does, the next look comes.
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
  // A damaged database can be opened, and is found out here.
  let db = translating(() =>
    preparing(openToLook(), (opened) => {
      seen = opened.prepare('SELECT coalesce(max(sequence), 0) FROM changes').pluck().get() as number
    }),
  )

  function openToLook(): Database {
    const opened = open(file)
    // It looks in the thread that answers everybody else, and looks again anyway: it waits for nobody.
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
    /** The kinds of what was committed since the last look. Costs microseconds while nothing was. */
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
      // So far behind that rows may be gone which were never seen, as after a long sleep of the machine.
      const all = last - seen > KEPT_ROWS ? CHANGE_KINDS : []
      // Only now: a look that failed is made up for by the next one.
      version = current
      seen = last
      return new Set([...rows.map(({ kind }) => kind), ...all])
    },
    close: (): void => void db.close(),
  }
}
