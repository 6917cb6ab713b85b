import { randomBytes } from 'node:crypto'
import {
  type EventStore,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server'

/** Of whatever is kept, beside its characters. */
const VALUE_BYTES = 16

export interface EventLimits {
  /** Of one session. */
  maxEvents: number
  maxBytes: number
  /** Of all of them. */
  maxTotalBytes: number
}

export interface SessionEvents extends EventStore {
  getStreamIdForEventId(eventId: string): Promise<string | undefined>
  /** Forgets everything. */
  clear(): void
}

interface Kept {
  streamId: string
  number: number
  message: JSONRPCMessage
  bytes: number
  drop(): void
}

/** What was sent to sessions lately: a client that lost its stream goes on where it was. The oldest goes first. */
export function createEvents(limits: EventLimits) {
  const all = new Set<Kept>()
  let totalBytes = 0
  const shelf = {
    add(event: Kept): void {
      all.add(event)
      totalBytes += event.bytes
      for (const oldest of all) {
        if (totalBytes <= limits.maxTotalBytes) break
        oldest.drop()
      }
    },
    remove(event: Kept): void {
      if (all.delete(event)) totalBytes -= event.bytes
    },
  }
  return {
    ofSession: (): SessionEvents => createSessionEvents(shelf, limits),
    size: () => ({ events: all.size, bytes: totalBytes }),
  }
}

export type Events = ReturnType<typeof createEvents>

interface Shelf {
  add(event: Kept): void
  remove(event: Kept): void
}

function createSessionEvents(shelf: Shelf, { maxEvents, maxBytes }: EventLimits): SessionEvents {
  // An id of another session means nothing here.
  const tag = randomBytes(9).toString('base64url')
  const events = new Map<number, Kept>()
  /** Streams that are not at their end: there is more to come on them, also where all that was kept is dropped. */
  const unfinished = new Set<string>()
  let last = 0
  let bytes = 0

  const idOf = (number: number, streamId: string): string => `${tag}.${number}.${streamId}`
  function parse(eventId: string): { number: number; streamId: string } | undefined {
    const [given, number, streamId] = eventId.split('.')
    return given === tag && streamId !== undefined ? { number: Number(number), streamId } : undefined
  }
  function keep(streamId: string, message: JSONRPCMessage): void {
    const size = sizeOf(message)
    // One that is larger than all that may be kept would only push out the others.
    if (size > maxBytes) return
    const number = last
    const drop = (): void => {
      if (!events.delete(number)) return
      bytes -= size
      shelf.remove(event)
    }
    const event: Kept = { streamId, number, message, bytes: size, drop }
    events.set(number, event)
    bytes += size
    for (const oldest of events.values()) {
      if (events.size <= maxEvents && bytes <= maxBytes) break
      oldest.drop()
    }
    shelf.add(event)
  }
  return {
    async storeEvent(streamId, message) {
      last++
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) unfinished.delete(streamId)
      else unfinished.add(streamId)
      keep(streamId, message)
      return idOf(last, streamId)
    },
    async getStreamIdForEventId(eventId) {
      const asked = parse(eventId)
      if (!asked) return undefined
      const { streamId, number } = asked
      const isKnown = [...events.values()].some((kept) => kept.streamId === streamId && kept.number >= number)
      return isKnown || unfinished.has(streamId) ? streamId : undefined
    },
    async replayEventsAfter(lastEventId, { send }) {
      const { streamId, number: after } = parse(lastEventId) ?? { streamId: '', number: last }
      for (const { number, message, streamId: of } of events.values())
        if (of === streamId && number > after) await send(idOf(number, streamId), message)
      return streamId
    },
    clear() {
      for (const event of events.values()) event.drop()
      unfinished.clear()
    },
  }
}

/** About what a value takes in memory. Writing it out to know it exactly would take as long as sending it. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length
  if (typeof value !== 'object' || value === null) return VALUE_BYTES
  let size = VALUE_BYTES
  for (const [name, part] of Object.entries(value)) size += name.length + sizeOf(part)
  return size
}
