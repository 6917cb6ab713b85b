import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../../util/monotonic.ts'

export interface FairShareParts {
  /** A clock that is never set back, in milliseconds. */
  now?: () => number
  /** Rejects when the signal is aborted. */
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>
}

export type FairShare = ReturnType<typeof createFairShare>

interface Client {
  /** What it may use before it waits. Below 0: it waits. */
  creditMs: number
  /** What it used in about the last second: what was used before counts less and less. */
  usedMs: number
  at: number
}

const WINDOW_MS = 1000
/** A client is active for this long after a call. */
const ACTIVE_MS = 5000
/** What a client may use at once. */
const BURST_MS = 400
/** Of the time, however many clients are active. */
const LEAST_SHARE = 0.1
/** Whoever uses this many times what others use on average uses too much. */
const TIMES_OTHERS = 2
/** To receive a call and answer it takes the main thread about as long, besides the call itself. */
const MESSAGES_MS = 1
/** A call counts for no more than this: long ones wait for something else, such as their client, or a machine that others keep busy. */
const MAX_CALL_MS = 200
/** Others may end earlier than expected. */
const LOOK_MS = 100

/**
 * Shares the time of the server among clients that are active. With n of them, one that makes calls all the time gets an nth of it, or twice what
 * the others use on average if that is more: its next call waits until then. Nobody waits for clients that are not there.
 */
export function createFairShare({ now = monotonicMs, wait = pause }: FairShareParts = {}) {
  const active = new Map<string, Client>()
  const all = { usedMs: 0, at: now() }
  let lookedAt = now()

  function decayed({ usedMs, at }: Pick<Client, 'usedMs' | 'at'>): number {
    return usedMs * Math.exp((at - now()) / WINDOW_MS)
  }
  function forgetPassed(): void {
    if (now() - lookedAt < LOOK_MS) return
    lookedAt = now()
    for (const [name, { at }] of active) if (now() - at > ACTIVE_MS) active.delete(name)
  }
  /** What part of the time is the client's. */
  function shareOf(client: Client): number {
    const others = active.size - 1
    if (others < 1) return Number.POSITIVE_INFINITY
    const average = Math.max(0, decayed(all) - decayed(client)) / others
    return Math.max(1 / (others + 1), LEAST_SHARE, (TIMES_OTHERS * average) / WINDOW_MS)
  }
  function charge(name: string, ms: number): void {
    const client = active.get(name) ?? { creditMs: BURST_MS, usedMs: 0, at: now() }
    active.set(name, client)
    const earned = Math.max(0, now() - client.at) * shareOf(client)
    client.creditMs = Math.min(BURST_MS, client.creditMs + (earned || 0)) - ms
    for (const usage of [client, all]) Object.assign(usage, { usedMs: decayed(usage) + ms, at: now() })
  }
  /** How long the client has to wait; 0: not at all. */
  function waitOf(name: string): number {
    forgetPassed()
    const client = active.get(name)
    return client ? Math.max(0, -client.creditMs / shareOf(client) - (now() - client.at)) : 0
  }

  /** Runs a call of the client when it is its turn. */
  return async <T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    for (let ms = waitOf(name); ms > 0; ms = waitOf(name))
      await wait(Math.ceil(Math.min(ms, LOOK_MS)), signal)
    const begunAt = now()
    try {
      return await work()
    } finally {
      charge(name, Math.min(now() - begunAt + MESSAGES_MS, MAX_CALL_MS))
    }
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => signal?.throwIfAborted())
}
