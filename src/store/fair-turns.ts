import { abortError } from './turns.ts'

export interface FairTurnsOptions {
  /** How many turns are taken at once at most. */
  max: number
  /** How many of them one client has at most. Default: all. */
  maxPerClient?: number
}

/** Turns that several clients take. Clients that wait are served in rotation: one with many calls holds up no other. */
export function createFairTurns({ max, maxPerClient = max }: FairTurnsOptions) {
  /** How many turns each client has. */
  const taken = new Map<object, number>()
  /** The client that is served next comes first; its calls are in the order they came. */
  const waiting = new Map<object, (() => void)[]>()
  let takenByAll = 0

  function mayBegin(client: object): boolean {
    return takenByAll < max && (taken.get(client) ?? 0) < maxPerClient
  }
  function begin(client: object): void {
    takenByAll++
    taken.set(client, (taken.get(client) ?? 0) + 1)
  }
  function serveNext(): void {
    for (const [client, calls] of waiting) {
      if (!mayBegin(client)) continue
      begin(client)
      const call = calls.shift()
      waiting.delete(client)
      if (calls.length > 0) waiting.set(client, calls)
      call?.()
      return
    }
  }
  function wait(client: object, signal: AbortSignal | undefined): Promise<void> {
    const calls = waiting.get(client) ?? []
    waiting.set(client, calls)
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', drop)
        resolve()
      }
      const drop = (): void => {
        calls.splice(calls.indexOf(start), 1)
        if (calls.length === 0) waiting.delete(client)
        reject(abortError(signal))
      }
      signal?.addEventListener('abort', drop, { once: true })
      calls.push(start)
    })
  }

  return {
    /** A call that is aborted while it waits fails with the signal's reason. */
    async take(client: object, signal?: AbortSignal): Promise<void> {
      if (signal?.aborted) throw abortError(signal)
      // Whoever waits may not begin: otherwise it would have.
      if (!waiting.has(client) && mayBegin(client)) begin(client)
      else await wait(client, signal)
    },
    giveBack(client: object): void {
      takenByAll--
      const left = (taken.get(client) ?? 0) - 1
      if (left > 0) taken.set(client, left)
      else taken.delete(client)
      serveNext()
    },
  }
}
