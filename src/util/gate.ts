/** Runs work when there is room. Rejects with the signal's reason if it is aborted before its turn. */
export type Gate = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Runs at most `limit` pieces of work concurrently; the others wait in order of arrival. */
export function createGate(limit: number): Gate {
  let running = 0
  const waiting = new Set<() => void>()

  function leave(): void {
    const [next] = waiting
    if (next) next()
    else running--
  }
  /** Resolves when a slot is free. */
  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiting.delete(begin)
        reject(signal?.reason)
      }
      const begin = (): void => {
        waiting.delete(begin)
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      waiting.add(begin)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  return async (work, signal) => {
    signal?.throwIfAborted()
    if (running < limit) running++
    else await turn(signal)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
