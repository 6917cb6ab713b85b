import type { Database } from 'better-sqlite3'
import { CHANGE_KINDS, type ChangeHandler, type WatchOptions } from '../../core/change-feed.ts'
import { KEPT_ROWS } from './change-rows.ts'
import { isBusy, translateError } from './errors.ts'
import { openReader } from './open.ts'
import { statement } from './statements.ts'
import { closedError } from './turns.ts'

const INTERVAL_MS = 200

/** Tells what other handles wrote: those of this process too, since every feed has a handle of its own. */
export function createChangeFeed(file: string, open: (file: string) => Database = openReader) {
  const running = new Set<() => void>()
  let isClosed = false

  function watch(handler: ChangeHandler, options: WatchOptions = {}): () => void {
    if (isClosed) throw closedError()
    const { intervalMs = INTERVAL_MS, onError = () => undefined } = options
    const db = open(file)
    // It looks in the thread that answers everybody else, and looks again anyway: it waits for nobody.
    db.pragma('busy_timeout = 0')
    const look = firstLook(db)
    let isFailing = false

    function poll(): void {
      try {
        const kinds = look()
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
function firstLook(db: Database): () => ReadonlySet<string> {
  try {
    return createLook(db)
  } catch (error) {
    db.close()
    throw translateError(error)
  }
}

/** The kinds of what was committed since the last look. Costs microseconds while nothing was. */
function createLook(db: Database): () => ReadonlySet<string> {
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
  let version = versionOf()
  let seen = newestOf()

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

  return () => {
    const now = versionOf()
    if (now === version) return new Set()
    const { kinds, last } = news()
    // Only now: a look that failed is made up for by the next one.
    version = now
    seen = last
    return kinds
  }
}
