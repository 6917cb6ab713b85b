import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../../util/monotonic.ts'

export interface FairShareParts {
  /** A clock that is never set back, in milliseconds. */
  now?: () => number
  /** Rejects when the signal is aborted. */
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>
}

export type FairShare = ReturnType<typeof createFairShare>

interface Usage {
  /** Milliseconds, of which older ones count less and less. */
  usedMs: number
  at: number
}

/** What was used this long ago counts a third. So it is what a client uses in about a second. */
const WINDOW_MS = 1000
/** A client is active for this long after a call. */
const ACTIVE_MS = 5000
/** A client never has to wait that used less than this in a second, however many others are active. */
const LEAST_SHARE_MS = WINDOW_MS / 10
/** Whoever uses this many times what others use on average uses too much. */
const TIMES_OTHERS = 2
/** To receive a call and answer it takes the main thread about as long, besides the call itself. */
const MESSAGES_MS = 1
/** A call counts for no more than this: long ones wait for something else, such as their client. */
const MAX_CALL_MS = 500
/** Others may end earlier than expected. */
const LOOK_MS = 100

/**
 * Shares the time of the server among clients that are active. With n of them, one that makes calls all the time gets an nth of it, or twice what
 * the others use on average if that is more: its next call waits until then. Nobody waits for clients that are not there.
 */
export function createFairShare({ now = monotonicMs, wait = pause }: FairShareParts = {}) {
  const active = new Map<string, Usage>()
  /** The sum of them. */
  const all: Usage = { usedMs: 0, at: now() }
  let lookedAt = now()

  function add(usage: Usage, ms: number): void {
    usage.usedMs = currentOf(usage) + ms
    usage.at = now()
  }
  function currentOf({ usedMs, at }: Usage): number {
    return usedMs * Math.exp((at - now()) / WINDOW_MS)
  }
  function forgetPassed(): void {
    if (now() - lookedAt < LOOK_MS) return
    lookedAt = now()
    for (const [client, { at }] of active) if (now() - at > ACTIVE_MS) active.delete(client)
  }
  /** How long the client has to wait; 0: not at all. */
  function waitOf(client: string): number {
    forgetPassed()
    const own = active.get(client)
    const others = active.size - 1
    if (!own || others < 1) return 0
    const usedMs = currentOf(own)
    const average = Math.max(0, currentOf(all) - usedMs) / others
    const share = Math.max(WINDOW_MS / (others + 1), LEAST_SHARE_MS, TIMES_OTHERS * average)
    return usedMs > share ? WINDOW_MS * Math.log(usedMs / share) : 0
  }
  function charge(client: string, ms: number): void {
    const own = active.get(client) ?? { usedMs: 0, at: now() }
    active.set(client, own)
    for (const usage of [own, all]) add(usage, Math.min(ms + MESSAGES_MS, MAX_CALL_MS))
  }

  /** Runs a call of the client when it is its turn. */
  return async <T>(client: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    for (let ms = waitOf(client); ms > 0; ms = waitOf(client))
      await wait(Math.ceil(Math.min(ms, LOOK_MS)), signal)
    const begunAt = now()
    try {
      return await work()
    } finally {
      charge(client, now() - begunAt)
    }
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => signal?.throwIfAborted())
}
