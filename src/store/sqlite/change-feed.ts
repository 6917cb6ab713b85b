import type { Database } from 'better-sqlite3'
import { CHANGE_KINDS, type ChangeHandler, type WatchOptions } from '../../core/port/change-feed.ts'
import { closedError } from '../write-queue.ts'
import { KEPT_ROWS } from './change-rows.ts'
import { isBusy, translateError } from './errors.ts'
import { isOutdatedCopy, openReader } from './open.ts'
import { statement } from './statements.ts'

const INTERVAL_MS = 200

/** Tells what other handles wrote: those of this process too, since every feed has a handle of its own. */
export function createChangeFeed(file: string, open: (file: string) => Database = openReader) {
  const running = new Set<() => void>()
  let isClosed = false

  function watch(handler: ChangeHandler, options: WatchOptions = {}): () => void {
    if (isClosed) throw closedError()
    const { intervalMs = INTERVAL_MS, onError = () => undefined } = options
    let db = openToLook()
    let feed = firstLook(db)
    let isFailing = false

    function openToLook(): Database {
      const opened = open(file)
      // It looks in the thread that answers everybody else, and looks again anyway: it waits for nobody.
      opened.pragma('busy_timeout = 0')
      return opened
    }
    /** A folder that was read-only may be written to by now: what came since is told. */
    function renew(): void {
      const next = openToLook()
      feed = firstLook(next, feed.seen())
      db.close()
      db = next
    }
    function poll(): void {
      try {
        if (isOutdatedCopy(db, file)) renew()
        const kinds = feed.look()
        isFailing = false
        // Somebody else's code: whatever it does, the next look comes.
        if (kinds.size > 0) void (async () => handler(kinds))().catch(onError)
      } catch (error) {
        if (!isFailing && !isBusy(error)) onError(translateError(error))
        isFailing ||= !isBusy(error)
      }
    }

    const timer = setInterval(poll, intervalMs)
    timer.unref()
    const stop = (): void => {
      if (!running.delete(stop)) return
      clearInterval(timer)
      db.close()
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

/** A damaged database can be opened, and is found out here. */
function firstLook(db: Database, since?: number): Look {
  try {
    return createLook(db, since)
  } catch (error) {
    db.close()
    throw translateError(error)
  }
}

interface Look {
  /** The kinds of what was committed since the last look. Costs microseconds while nothing was. */
  look(): ReadonlySet<string>
  /** The last that was looked at. */
  seen(): number
}

/** From now on, or from a place where another handle was. */
function createLook(db: Database, since?: number): Look {
  const newest = statement<[], { sequence: number }>(
    db,
    'SELECT coalesce(max(sequence), 0) AS sequence FROM changes',
  )
  const kindsAfter = statement<[number], { kind: string }>(
    db,
    'SELECT DISTINCT kind FROM changes WHERE sequence > ?',
  )
  const versionOf = (): number => db.pragma('data_version', { simple: true }) as number
  const newestOf = (): number => newest().get()?.sequence ?? 0
  let version = since === undefined ? versionOf() : undefined
  let seen = since ?? newestOf()

  // One transaction: a row that is committed between two statements is for the next look.
  const news = db.transaction((): { kinds: Set<string>; last: number } => {
    const last = newestOf()
    const kinds = kindsAfter()
      .all(seen)
      .map((row) => row.kind)
    // So far behind that rows may be gone which were never seen, as after a long sleep of the machine.
    const all = last - seen > KEPT_ROWS ? CHANGE_KINDS : []
    return { kinds: new Set([...kinds, ...all]), last }
  })

  function look(): ReadonlySet<string> {
    const now = versionOf()
    if (now === version) return new Set()
    const { kinds, last } = news()
    // Only now: a look that failed is made up for by the next one.
    version = now
    seen = last
    return kinds
  }
  return { look, seen: () => seen }
}
