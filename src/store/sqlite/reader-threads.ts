import type { StoreQuery } from '../../core/port/store.ts'
import { abortError, closedError, createTurns } from '../turns.ts'
import { newCallStates } from './call-state.ts'
import { createThread } from './thread-client.ts'

/** A thread with no query for this long is stopped: its heap is a large part of an idle server. */
const IDLE_MS = 20_000

interface Place {
  thread?: ReturnType<typeof createThread> | undefined
  idle?: NodeJS.Timeout
  ended?: Promise<void> | undefined
}

export interface ReaderThreadsParts {
  file: string
  /** How many there are at most. */
  limit: number
  idleMs?: number
}

interface AskOptions {
  now: number
  /** A query that is aborted before its turn never begins. */
  signal?: AbortSignal | undefined
}

/** Threads that answer queries, one at a time each. They are started as needed; a query that finds none free waits for one. */
export function createReaderThreads({ file, limit, idleMs = IDLE_MS }: ReaderThreadsParts) {
  const places = Array.from({ length: limit }, (): Place => ({}))
  const { take, giveBack } = createTurns([...places])
  let closing: Promise<void> | undefined

  function threadIn(place: Place): NonNullable<Place['thread']> {
    clearTimeout(place.idle)
    place.thread ??= createThread(
      { options: { file }, calls: newCallStates() },
      'the thread that was to answer has stopped; retry',
    )
    return place.thread
  }
  function end(place: Place): void {
    clearTimeout(place.idle)
    // One that cannot end by itself is gone already.
    place.ended = place.thread?.close().catch(() => undefined)
    place.thread = undefined
  }
  async function endAll(): Promise<void> {
    for (let taken = 0; taken < limit; taken++) end(await take())
    await Promise.all(places.map(({ ended }) => ended))
  }

  return {
    async query<I, O>({ name }: StoreQuery<I, O>, input: I, { now, signal }: AskOptions): Promise<O> {
      if (closing) throw closedError()
      if (signal?.aborted) throw abortError(signal)
      const place = await take(signal)
      try {
        return (await threadIn(place).ask({ kind: 'query', name, input, now })) as O
      } finally {
        place.idle = setTimeout(() => end(place), idleMs).unref()
        giveBack(place)
      }
    },
    /** Refuses what comes later and waits for what is running or waiting. */
    close(): Promise<void> {
      closing ??= endAll()
      return closing
    },
  }
}
