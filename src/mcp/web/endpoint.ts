import type { NeededScope } from '../../core/access/scopes.ts'
import { missingScope } from '../dispatch.ts'
import { failureFields } from '../model/errors.ts'
import { insufficientScope } from '../model/permissions.ts'
import type { Served } from '../model/served.ts'
import type { Registry } from '../sessions/registry.ts'
import type { Audience } from '../subscriptions/audience.ts'
import { createCount } from './count.ts'
import { isListen, isOfOldEra } from './era.ts'
import { createBodyReader } from './read-body.ts'
import { receive } from './receive.ts'
import { refusal } from './refusal.ts'
import { type Answer, createSessions } from './sessions.ts'
import { createStateless } from './stateless.ts'
import { watchBody } from './watched-body.ts'

export interface WebParts {
  served: Served
  registry: Registry
  audience: Audience
  limits: {
    maxBodyBytes: number
    /** Of clients from before 2026-07-28. */
    maxSessions: number
    /** That tell of changes, of either era. */
    maxStreams: number
  }
  /** A session ends after this time without a request and without an open stream. */
  sessionExpiryMs: number
  /** Calls `work` once after `ms`; the answer takes that back. */
  setTimer: (work: () => void, ms: number) => () => void
  /** How long requests are still answered after somebody asked for the end. */
  drainMs: number
}

/** Where a request comes from, and what it was sent to. */
export interface WebConnection {
  address: string
  /** What tells it apart from others at this address. */
  client?: string
  /** How a client gets a token with this scope for the URL it used (`WWW-Authenticate`). Missing: there are no accounts. */
  challenge?: ((scope: NeededScope) => string) | undefined
}

export interface WebEndpoint {
  /**
   * Answers a request, and never throws. Requests of one client from one address without a handshake are one session of
   * `remindb://sessions`, whatever connections they come over.
   */
  fetch(request: Request, connection: WebConnection): Promise<Response>
  /** Ends the streams that tell of changes. Others may begin. */
  endStreams(): Promise<void>
  /** Refuses what comes later, ends streams, answers what was asked so far, and ends sessions. */
  close(): Promise<void>
  /** What is held at the moment. */
  counts(): WebCounts
}

export interface WebCounts {
  /** Being answered. */
  requests: number
  streams: number
  sessions: number
  /** Kept for clients that lose their stream. */
  events: number
  bytes: number
}

/** Of requests that have not come whole. */
const MAX_BODY_BYTES_AT_ONCE = 256 * 1024 * 1024
/** Of a stream: a client that does not read is cut off, and asks again for what it missed. */
const MAX_UNREAD_BYTES = 1024 * 1024

/** MCP over requests of the web, for clients of both eras. Who may ask, and from where, was decided before. */
export function createWebEndpoint(parts: WebParts): WebEndpoint {
  const { served, limits } = parts
  // A client can cause most of these, as often as it likes.
  const onProblem = (error: unknown): void => served.log.debug('request problem', failureFields(error))
  const stateless = createStateless({ ...parts, maxStreams: limits.maxStreams, onProblem })
  const sessions = createSessions({ ...parts, maxSessions: limits.maxSessions, onProblem })
  const { maxBodyBytes } = limits
  const maxTotalBytes = Math.max(MAX_BODY_BYTES_AT_ONCE, maxBodyBytes)
  const bodies = createBodyReader({ maxBytes: maxBodyBytes, maxTotalBytes })
  const requests = createCount()
  const streams = createCount()
  let closing: Promise<void> | undefined

  async function answer(request: Request, connection: WebConnection): Promise<Response> {
    const { address, challenge } = connection
    if (closing) return ending()
    const received = await receive(request, { bodies, maxBodyBytes })
    if (received.kind === 'refused') return received.response
    const { body } = received
    const isStream = request.method === 'GET' || isListen(body)
    const isLegacy = await isOfOldEra(request, body)
    // Reading takes as long as the client likes.
    if (closing) return ending(body)
    const missing = missingScope(served, body)
    if (missing) return insufficient(missing, { body, challenge })
    if (isStream && streams.size() >= limits.maxStreams) return tooManyStreams(limits.maxStreams, body)
    const leave = (isStream ? streams : requests).enter()
    try {
      const { response, onEnd }: Answer = isLegacy
        ? await sessions.fetch(request, { body, address })
        : await stateless.fetch(request, { body, address, client: connection.client ?? '' })
      return watchBody(response, {
        signal: request.signal,
        ...(isStream && { maxUnreadBytes: MAX_UNREAD_BYTES }),
        onEnd() {
          onEnd?.()
          leave()
        },
      })
    } catch (error) {
      leave()
      served.log.error('request failed', failureFields(error))
      return refusal('failed', 'something unexpected went wrong; the log of the server has it', { body })
    }
  }

  async function endStreams(): Promise<void> {
    sessions.endStreams()
    await stateless.endStreams()
  }

  async function drain(): Promise<void> {
    const late = Promise.withResolvers<void>()
    const cancel = parts.setTimer(late.resolve, parts.drainMs)
    // Nobody who only listens has to wait until others have their answers.
    await endStreams()
    await Promise.race([requests.idle(), late.promise])
    cancel()
    await stateless.close()
    await sessions.close()
  }

  return {
    fetch: answer,
    endStreams,
    close() {
      closing ??= drain()
      return closing
    },
    counts: () => ({ requests: requests.size(), streams: streams.size(), ...sessions.counts() }),
  }
}

function ending(body?: unknown): Response {
  return refusal('unavailable', 'the server is ending; ask again when it is back', { body })
}

function insufficient(
  scope: NeededScope,
  { body, challenge }: { body: unknown; challenge: WebConnection['challenge'] },
): Response {
  const headers = challenge && { 'www-authenticate': challenge(scope) }
  return refusal('forbidden', insufficientScope(scope), { body, ...(headers && { headers }) })
}

function tooManyStreams(maxStreams: number, body: unknown): Response {
  const message = `there are ${maxStreams} streams already; close one, or raise server.http.max_streams`
  return refusal('unavailable', message, { body })
}
