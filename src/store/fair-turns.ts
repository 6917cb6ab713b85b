import { abortError } from './call-errors.ts'

export interface FairTurnsParts {
  /** How many turns are taken at once at most. */
  limit: number
  /** How many of them one client has at most. Default: all. */
  limitPerClient?: number | undefined
}

/**
 * Turns that clients take: the calls of one in the order they came, and of several clients that wait one call each in rotation. So a client
 * with many calls holds up no other.
 */
export function createFairTurns({ limit, limitPerClient = limit }: FairTurnsParts) {
  /** How many turns each client has. */
  const taken = new Map<object, number>()
  /** The client whose turn is next comes first. */
  const waiting = new Map<object, (() => void)[]>()
  let takenByAll = 0

  function mayBegin(client: object): boolean {
    return takenByAll < limit && (taken.get(client) ?? 0) < limitPerClient
  }
  function begin(client: object): void {
    takenByAll++
    taken.set(client, (taken.get(client) ?? 0) + 1)
  }
  function beginNext(): void {
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
    /** No promise where one is free. A call that is aborted while it waits fails with the signal's reason. */
    take(client: object, signal?: AbortSignal): Promise<void> | undefined {
      // Other clients that wait may not begin either: otherwise they would have.
      if (waiting.has(client) || !mayBegin(client)) return wait(client, signal)
      begin(client)
      return undefined
    },
    giveBack(client: object): void {
      takenByAll--
      const left = (taken.get(client) ?? 0) - 1
      if (left > 0) taken.set(client, left)
      else taken.delete(client)
      beginNext()
    },
  }
}
