import { setImmediate } from 'node:timers/promises'

/** For long work in a thread that others need too: await it often, and now and then it lets them have a turn. */
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
