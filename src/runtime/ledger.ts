import { dirname, join } from 'node:path'
import type { Hash64 } from '../core/digest.ts'
import type { ClientHistory, SessionsHistoryEnvelope } from '../mcp/observer.ts'
import type { Session } from '../mcp/sessions/registry.ts'
import { appendJsonl, readJsonl } from '../util/jsonl-file.ts'
import { listNames } from '../util/list-names.ts'
import type { Log } from '../util/log.ts'
import { makeFolderWithin } from '../util/within-folder.ts'
import { type Attempt, createAttempt } from './best-effort.ts'
import { clientFileName, clientHash, findHashIn, lineOf, newestLines, sumUp } from './ledger-lines.ts'
import { createLedgerTidy, type LedgerTidy } from './ledger-tidy.ts'
import { type SetTimer, setIdleTimer } from './timer.ts'

export interface LedgerParts {
  folder: string
  dbPath: string
  hash: Hash64
  /** Who is attached now. */
  list: () => readonly Session[]
  /** Asked before every wait: settings may change. */
  flushIntervalMs: () => number
  log: Log
  setTimer?: SetTimer
}

export interface Ledger extends LedgerReader {
  /** Writes what changed since the last time. */
  flush(): void
  /** A session is over: its last line is written now, also of one that came and went between two flushes. */
  ended(session: Session): void
  /** Whoever is still attached counts as gone. Nothing is written after this. */
  close(): void
}

/** Nobody is answered while they are written. */
const LINES_AT_ONCE = 500

/**
 * Who was ever attached: a file for each client, a line for each time that something changed. Several processes may keep
 * it together. Writing is best effort: what fails is a warning, and of who is still there it is tried again.
 */
export function openLedger(parts: LedgerParts): Ledger {
  const { folder, list, log, setTimer = setIdleTimer } = parts
  const attempt = createAttempt(log, 'session ledger cannot be written')
  const tidy = createLedgerTidy(folder, attempt)
  const writer = createLedgerWriter(parts, attempt, tidy)
  let isClosed = false
  let cancel: () => void = () => undefined

  function flush(mostLines = Number.POSITIVE_INFINITY): void {
    if (!isClosed) writer.write(list(), mostLines)
  }
  function wait(): void {
    cancel = setTimer(() => {
      flush(LINES_AT_ONCE)
      if (!isClosed) wait()
    }, parts.flushIntervalMs())
  }

  attempt(() => {
    // Not the folders above it: see `appendJsonl`.
    makeFolderWithin(dirname(folder), folder)
    tidy.all()
  })
  wait()
  return {
    ...createLedgerReader(parts),
    flush: () => flush(),
    ended(session) {
      if (!isClosed) writer.end(session)
    },
    close() {
      if (isClosed) return
      cancel()
      flush()
      isClosed = true
      writer.endAll()
    },
  }
}

function createLedgerWriter({ folder, hash }: LedgerParts, attempt: Attempt, tidy: LedgerTidy) {
  /** What each session was like when it was last seen, and the line that says so, if it could be written. */
  const known = new Map<string, { session: Session; written: string | undefined }>()
  const within = dirname(folder)

  /** The text of the line when it was written. */
  function append(session: Session, hasEnded: boolean): string | undefined {
    const line = lineOf(session, hasEnded)
    const name = clientFileName(clientHash(hash, line.client, line.transport), line.client)
    const isWritten = attempt(() =>
      appendJsonl(join(folder, name), line, { survivesCompaction: true, within }),
    )
    if (!isWritten) return undefined
    tidy.added(name)
    return JSON.stringify(line)
  }
  function end(session: Session): void {
    known.delete(session.id)
    append(session, true)
  }
  return {
    end,
    /** What is left when there are too many lines comes with the next call. */
    write(sessions: readonly Session[], mostLines: number): void {
      let lines = 0
      const live = new Set(sessions.map(({ id }) => id))
      for (const { session } of [...known.values()]) if (!live.has(session.id)) end(session)
      for (const session of sessions) {
        const before = known.get(session.id)?.written
        const isSame = before === JSON.stringify(lineOf(session, false))
        const isLeft = isSame || lines++ >= mostLines
        known.set(session.id, { session, written: isLeft ? before : append(session, false) })
      }
    },
    endAll(): void {
      for (const { session } of [...known.values()]) end(session)
    },
  }
}

export interface LedgerReader {
  sessionsHistory(): Promise<SessionsHistoryEnvelope>
  /** Undefined: no client has this hash. */
  findClientHistory(hash: string): Promise<ClientHistory | undefined>
}

/** Reads what is on disk, whoever wrote it. */
export function createLedgerReader({ folder, dbPath }: Pick<LedgerParts, 'folder' | 'dbPath'>): LedgerReader {
  async function read(name: string): Promise<ClientHistory | undefined> {
    const values = await readJsonl(join(folder, name), { within: dirname(folder) })
    const lines = newestLines(values.map((value) => ({ value, text: '' })))
    return sumUp(
      findHashIn(name) ?? '',
      lines.map(({ session }) => session),
    )
  }
  async function listFiles(): Promise<string[]> {
    return (await listNames(folder, dirname(folder))).filter((name) => findHashIn(name) !== undefined).sort()
  }
  return {
    async sessionsHistory() {
      const clients: ClientHistory[] = []
      for (const name of await listFiles()) {
        const client = await read(name)
        if (client) clients.push(client)
      }
      return { db_path: dbPath, clients }
    },
    async findClientHistory(hash) {
      const name = (await listFiles()).find((candidate) => findHashIn(candidate) === hash)
      return name === undefined ? undefined : read(name)
    },
  }
}
