import { dirname, join } from 'node:path'
import type { Hash64 } from '../../core/digest.ts'
import type { ClientHistory, SessionsHistoryEnvelope } from '../../mcp/model/observer.ts'
import type { Attached } from '../../mcp/sessions/registry.ts'
import { appendJsonl, readJsonl } from '../../util/files/jsonl-file.ts'
import { listNames } from '../../util/files/list-names.ts'
import { makeFolderWithin } from '../../util/files/within-folder.ts'
import type { Log } from '../../util/log.ts'
import { type Attempt, createAttempt } from '../timing/best-effort.ts'
import { type SetTimer, setIdleTimer } from '../timing/timer.ts'
import { clientFileName, clientHash, findHashIn, lineOf, newestLines, sumUp } from './ledger-lines.ts'
import { createLedgerTidy, type LedgerTidy } from './ledger-tidy.ts'

export interface LedgerParts {
  folder: string
  dbPath: string
  hash: Hash64
  /** The clients attached now. */
  list: () => readonly Attached[]
  /** Asked before every wait: settings may change. */
  flushIntervalMs: () => number
  log: Log
  setTimer?: SetTimer
}

export interface Ledger extends LedgerReader {
  /** Writes until when every session was seen. */
  flush(): void
  /** A session has begun: its first line is written now, so that it is in the history immediately. */
  began(attached: Attached): void
  /** A session is over: its last line is written now. */
  ended(attached: Attached): void
  /** Clients that are still attached count as disconnected. Nothing is written after this. */
  close(): void
}

/** Writing blocks all answers, so the rest follows after a pause. */
const LINES_AT_ONCE = 500
const PAUSE_MS = 50

/**
 * The history of clients: a file for each client, a line when a session begins, at every interval while it
 * lasts, and when it ends. So a killed process loses at most one interval. Several processes can share it.
 * Writing is best effort: a failure is a warning, and is retried for clients that are still attached.
 */
export function openLedger(parts: LedgerParts): Ledger {
  const { folder, list, log, setTimer = setIdleTimer } = parts
  const attempt = createAttempt(log, 'session ledger cannot be written')
  const tidy = createLedgerTidy(folder, attempt)
  const writer = createLedgerWriter(parts, attempt, tidy)
  let isClosed = false
  let cancel: () => void = () => undefined

  /** A round after the other; each writes every session once. */
  function checkpoint(): void {
    const isWhole = writer.write(list(), LINES_AT_ONCE)
    cancel = setTimer(checkpoint, isWhole ? parts.flushIntervalMs() : PAUSE_MS)
  }

  attempt(() => {
    // Not the folders above it: see `appendJsonl`.
    makeFolderWithin(dirname(folder), folder)
    tidy.all()
  })
  checkpoint()
  return {
    ...createLedgerReader(parts),
    flush() {
      if (!isClosed) writer.write(list(), Number.POSITIVE_INFINITY)
    },
    began(attached) {
      if (!isClosed) writer.begin(attached)
    },
    ended(attached) {
      if (!isClosed) writer.end(attached)
    },
    close() {
      if (isClosed) return
      cancel()
      isClosed = true
      writer.endAll(list())
    },
  }
}

function createLedgerWriter({ folder, hash }: LedgerParts, attempt: Attempt, tidy: LedgerTidy) {
  /** Each session in its last known state, the line written for it, if any, and in which round. */
  const known = new Map<string, { attached: Attached; written: string | undefined; round: number }>()
  let round = 0
  const within = dirname(folder)

  /** The text of the line when it was written. */
  function append(attached: Attached, hasEnded: boolean): string | undefined {
    const line = lineOf(attached, hasEnded)
    const name = clientFileName(clientHash(hash, line.client, line.transport), line.client)
    const isWritten = attempt(() =>
      appendJsonl(join(folder, name), line, { survivesCompaction: true, within }),
    )
    if (!isWritten) return undefined
    tidy.added(name)
    return JSON.stringify(line)
  }
  function end(attached: Attached): void {
    known.delete(attached.session.id)
    append(attached, true)
  }
  function endVanished(sessions: readonly Attached[]): void {
    const live = new Set(sessions.map(({ session }) => session.id))
    for (const { attached } of [...known.values()]) if (!live.has(attached.session.id)) end(attached)
  }
  return {
    begin(attached: Attached): void {
      const { id } = attached.session
      if (!known.has(id)) known.set(id, { attached, written: append(attached, false), round: round - 1 })
    },
    end,
    /** False: there were too many lines. The next call continues with the rest. */
    write(sessions: readonly Attached[], mostLines: number): boolean {
      endVanished(sessions)
      let lines = 0
      for (const attached of sessions) {
        const { id } = attached.session
        const before = known.get(id)
        if (before?.round === round) continue
        if (lines === mostLines) return false
        const isSame = before?.written === JSON.stringify(lineOf(attached, false))
        if (!isSame) lines++
        known.set(id, { attached, written: isSame ? before?.written : append(attached, false), round })
      }
      round++
      return true
    },
    endAll(sessions: readonly Attached[]): void {
      endVanished(sessions)
      for (const attached of sessions) end(attached)
    },
  }
}

export interface LedgerReader {
  sessionsHistory(): Promise<SessionsHistoryEnvelope>
  /** Undefined: no client has this hash. */
  findClientHistory(hash: string): Promise<ClientHistory | undefined>
}

/** Reads the files of all processes. */
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
