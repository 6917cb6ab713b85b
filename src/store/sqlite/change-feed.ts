import type { Database } from 'better-sqlite3'
import { CHANGE_KINDS, type ChangeHandler, type WatchOptions } from '../../core/port/change-feed.ts'
import { closedError } from '../call-errors.ts'
import { preparing } from './database/driver.ts'
import { isBusy, translateError, translating } from './database/errors.ts'
import { isOutdatedCopy, openReader } from './database/open.ts'
import { dataVersion } from './database/unchanged.ts'
import { KEPT_ROWS } from './writes/change-rows.ts'

const INTERVAL_MS = 200

interface Watcher {
  handler: ChangeHandler
  intervalMs: number
  onError: (error: unknown) => void
  isFailing: boolean
}

/** Tells what other handles wrote: those of this process too, since it has a handle of its own, for all watchers. */
export function createChangeFeed(file: string, open: (file: string) => Database = openReader) {
  const watchers = new Set<Watcher>()
  let opened: ReturnType<typeof createLook> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function poll(): void {
    try {
      const kinds = opened?.look() ?? new Set<string>()
      for (const watcher of [...watchers]) tell(watcher, kinds)
    } catch (error) {
      if (!isBusy(error)) for (const watcher of [...watchers]) tellFailure(watcher, translateError(error))
    }
  }
  function watch(handler: ChangeHandler, options: WatchOptions = {}): () => void {
    if (isClosed) throw closedError()
    // The others are told of what was before.
    poll()
    opened ??= createLook(file, open)
    const { intervalMs = INTERVAL_MS, onError = () => undefined } = options
    const watcher = { handler, intervalMs, onError, isFailing: false }
    watchers.add(watcher)
    setPace()
    return () => stop(watcher)
  }
  function stop(watcher: Watcher): void {
    if (!watchers.delete(watcher)) return
    setPace()
    if (watchers.size > 0) return
    opened?.close()
    opened = undefined
  }
  /** As often as the one that wants it most often. */
  function setPace(): void {
    clearInterval(timer)
    const intervals = [...watchers].map(({ intervalMs }) => intervalMs)
    if (intervals.length > 0) timer = setInterval(poll, Math.min(...intervals)).unref()
  }

  return {
    watch,
    close(): void {
      isClosed = true
      for (const watcher of [...watchers]) stop(watcher)
    },
  }
}

function tell(watcher: Watcher, kinds: ReadonlySet<string>): void {
  watcher.isFailing = false
  // Somebody else's code: whatever it does, the next look comes.
  if (kinds.size > 0) void (async () => watcher.handler(kinds))().catch(watcher.onError)
}

function tellFailure(watcher: Watcher, error: unknown): void {
  if (!watcher.isFailing) watcher.onError(error)
  watcher.isFailing = true
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
  let currentVersion = dataVersion(db)

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
    currentVersion = dataVersion(db)
    version = undefined
  }

  return {
    /** The kinds of changes committed since the last call. Takes microseconds if there are none. */
    look(): ReadonlySet<string> {
      if (isOutdatedCopy(db, file)) renew()
      const current = currentVersion()
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
