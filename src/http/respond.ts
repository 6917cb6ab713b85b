import type { ServerResponse } from 'node:http'

/** Hop-by-hop headers: they belong to the connection, which the server manages. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
const EVENT_STREAM = 'text/event-stream'
const PIECE_BYTES = 256 * 1024
/** Most answers are complete by then: header and events are sent in one write, at a third of the cost of three. */
const HOLD_MS = 50

export interface RespondOptions {
  /** A client that reads nothing for this long is disconnected: its buffered data costs memory. */
  stallTimeoutMs: number
  /** Whether the connection ends with this response. */
  isLast: boolean
}

/**
 * Sends a response whole, or as it comes if it is an event stream. Resolves when all of it was handed over, or the client
 * disconnected. Throws what the body throws, after cutting the connection, so that a client cannot mistake a partial
 * response for a complete one.
 */
export async function respond(
  response: Response,
  outgoing: ServerResponse,
  { stallTimeoutMs, isLast }: RespondOptions,
): Promise<void> {
  if (outgoing.destroyed) {
    await response.body?.cancel()
    return
  }
  if (isLast) outgoing.shouldKeepAlive = false
  try {
    if (isEventStream(response)) await sendEvents(response, outgoing, stallTimeoutMs)
    else await sendWhole(response, outgoing, stallTimeoutMs)
  } catch (error) {
    outgoing.destroy()
    throw error
  }
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith(EVENT_STREAM) === true
}

async function sendWhole(
  response: Response,
  outgoing: ServerResponse,
  stallTimeoutMs: number,
): Promise<void> {
  const bytes = await bytesOf(response)
  const isBodiless = response.status === 204 || response.status === 304
  const length = isBodiless ? {} : { 'content-length': String(bytes.length) }
  outgoing.writeHead(response.status, { ...headersOf(response), ...length })
  let sent = 0
  // In pieces, to distinguish a slow client from one that reads nothing.
  for (; bytes.length - sent > PIECE_BYTES && !outgoing.destroyed; sent += PIECE_BYTES)
    await write(outgoing, bytes.subarray(sent, sent + PIECE_BYTES), stallTimeoutMs)
  outgoing.end(bytes.subarray(sent))
  if (outgoing.writableLength > 0) await clientReads(outgoing, 'finish', stallTimeoutMs)
}

/** `arrayBuffer` would copy them twice. */
async function bytesOf({ body }: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of body ?? []) pieces.push(piece)
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces)
}

async function sendEvents(
  response: Response,
  outgoing: ServerResponse,
  stallTimeoutMs: number,
): Promise<void> {
  const reader = response.body?.getReader()
  const leave = () => void reader?.cancel().catch(() => undefined)
  outgoing.once('close', leave)
  outgoing.writeHead(response.status, headersOf(response))
  const release = hold(outgoing)
  for (;;) {
    const next = await reader?.read()
    if (next === undefined || next.done || outgoing.destroyed) break
    if (outgoing.write(next.value)) continue
    release()
    await clientReads(outgoing, 'drain', stallTimeoutMs)
  }
  outgoing.off('close', leave)
  outgoing.end()
  release()
}

/**
 * Delays the header and body briefly, or until released. Not for long: a client must soon learn that it is connected,
 * and the first event may be hours away.
 */
function hold(outgoing: ServerResponse): () => void {
  // A stream without a request has no answer that could arrive soon.
  if (outgoing.req.method === 'GET') {
    outgoing.flushHeaders()
    return () => undefined
  }
  const { socket } = outgoing
  socket?.cork()
  outgoing.flushHeaders()
  const timer = setTimeout(release, HOLD_MS)
  let isHeld = true
  function release(): void {
    clearTimeout(timer)
    // The end of a response releases all of it.
    if (isHeld && !outgoing.writableEnded) socket?.uncork()
    isHeld = false
  }
  return release
}

function headersOf({ headers }: Response): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = Object.fromEntries(
    [...headers].filter(([name]) => !HOP_BY_HOP.has(name)),
  )
  // The only header whose values cannot be joined.
  const cookies = headers.getSetCookie()
  return cookies.length > 0 ? { ...sent, 'set-cookie': cookies } : sent
}

async function write(outgoing: ServerResponse, bytes: Uint8Array, stallTimeoutMs: number): Promise<void> {
  if (!outgoing.write(bytes)) await clientReads(outgoing, 'drain', stallTimeoutMs)
}

/** Waits until the client has read enough for `event`; cuts it off if it takes too long. */
export function clientReads(
  outgoing: ServerResponse,
  event: 'drain' | 'finish',
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), timeoutMs)
    const done = () => {
      clearTimeout(timer)
      outgoing.off(event, done)
      outgoing.off('close', done)
      resolve()
    }
    outgoing.on(event, done)
    outgoing.on('close', done)
    if (outgoing.destroyed) done()
  })
}
