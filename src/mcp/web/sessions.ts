import { randomBytes } from 'node:crypto'
import { isInitializeRequest } from '@modelcontextprotocol/server'
import { createEvents, type EventLimits } from './events.ts'
import { refusal } from './refusal.ts'
import { openSession, type SessionParts, type WebSession } from './session.ts'

export interface SessionsParts extends Pick<SessionParts, 'served' | 'registry' | 'audience' | 'onProblem'> {
  maxSessions: number
  /** A session ends after this time without a request and without an open stream. */
  sessionExpiryMs: number
  setTimer: (work: () => void, ms: number) => () => void
}

export interface Answer {
  response: Response
  /** To be called when the answer is over, its stream included. */
  onEnd?: () => void
}

/** Nobody is thrown out between two requests: an agent thinks for a while. Longer than this is idle where others wait. */
const SPARED_MS = 60_000

/** Enough for a while without a connection. An answer that is larger is not kept. Clients leave more sessions than they end. */
const EVENT_LIMITS: EventLimits = {
  maxEvents: 256,
  maxBytes: 1024 * 1024,
  maxTotalBytes: 8 * 1024 * 1024,
}

interface SessionRequest {
  body: unknown
  address: string
}

interface Entry {
  session?: WebSession
  /** Requests and streams that are open. */
  users: number
  cancelExpiry?: (() => void) | undefined
}

/** Serves clients from before 2026-07-28: each begins a session, and names it in whatever it asks. */
export function createSessions(parts: SessionsParts) {
  const { maxSessions, sessionExpiryMs, setTimer } = parts
  const clock = (): number => parts.served.clock()
  const entries = new Map<string, Entry>()
  /** Since when nobody uses them, longest first. */
  const idle = new Map<string, number>()
  const events = createEvents(EVENT_LIMITS)

  async function begin(request: Request, { body, address }: SessionRequest): Promise<Answer> {
    const leaving = entries.size < maxSessions ? undefined : takeIdle()
    if (entries.size >= maxSessions) return { response: tooMany(maxSessions, body) }
    const id = randomBytes(24).toString('base64url')
    // It counts from now on, and nobody knows its id before it is answered.
    const entry: Entry = { users: 0 }
    entries.set(id, entry)
    await leaving?.close().catch(parts.onProblem)
    const onEnd = (): void => forget(id, entry)
    const session = await openSession({ ...parts, id, address, events: events.ofSession(), onEnd }).catch(
      (error) => {
        entries.delete(id)
        throw error
      },
    )
    entry.session = session
    return use(id, entry, async () => {
      const response = await session.fetch(request, body)
      if (!session.hasBegun()) await session.close()
      return response
    })
  }

  function forget(id: string, { cancelExpiry }: Entry): void {
    entries.delete(id)
    idle.delete(id)
    cancelExpiry?.()
  }

  /** The session that has been idle for longest makes room. Undefined: all of them are in use, or were a moment ago. */
  function takeIdle(): WebSession | undefined {
    const before = clock() - SPARED_MS
    for (const [id, since] of idle) {
      if (since > before) return undefined
      const entry = entries.get(id) as Entry
      // Its client lost the connection, and may come back for the answer.
      if (entry.session?.isAnswering()) continue
      forget(id, entry)
      return entry.session
    }
    return undefined
  }

  async function use(id: string, entry: Entry, work: () => Promise<Response>): Promise<Answer> {
    entry.users++
    entry.cancelExpiry?.()
    idle.delete(id)
    const onEnd = (): void => {
      if (--entry.users > 0 || !entries.has(id)) return
      idle.set(id, clock())
      entry.cancelExpiry = setTimer(() => void entry.session?.close(), sessionExpiryMs)
    }
    try {
      return { response: await work(), onEnd }
    } catch (error) {
      onEnd()
      throw error
    }
  }

  return {
    async fetch(request: Request, given: SessionRequest): Promise<Answer> {
      const { body } = given
      const id = request.headers.get('mcp-session-id')
      if (id === null) {
        const isBeginning = Array.isArray(body) ? body.some(isInitializeRequest) : isInitializeRequest(body)
        return isBeginning ? begin(request, given) : { response: unnamed(body) }
      }
      const entry = entries.get(id)
      const session = entry?.session
      if (!session?.hasBegun()) return { response: notFound(body) }
      return use(id, entry as Entry, () => session.fetch(request, body))
    },
    counts: () => ({ sessions: entries.size, ...events.size() }),
    endStreams(): void {
      for (const { session } of entries.values()) session?.endStream()
    },
    async close(): Promise<void> {
      await Promise.all([...entries.values()].map(({ session }) => session?.close()))
    },
  }
}

function tooMany(maxSessions: number, body: unknown): Response {
  const message = `there are ${maxSessions} sessions already, all of them in use lately; end one with DELETE, try again in a minute, speak 2026-07-28, which needs none, or raise server.http.max_sessions`
  return refusal('unavailable', message, { body })
}

function unnamed(body: unknown): Response {
  return refusal('noSession', 'say mcp-session-id: begin with initialize, its answer has it', { body })
}

function notFound(body: unknown): Response {
  return refusal('sessionNotFound', 'there is no such session, or no more; initialize again', { body })
}
