import { setImmediate } from 'node:timers/promises'

/** For long work in a shared thread: await it often, and from time to time it yields to other work. */
export function createBreath(workMs: number, signal?: AbortSignal): () => Promise<void> {
  let started = performance.now()
  return async () => {
    if (performance.now() - started > workMs) {
      await setImmediate()
      started = performance.now()
    }
    signal?.throwIfAborted()
  }
}
