import { monotonicMs } from '../../util/monotonic.ts'

/**
 * What the writer's thread must know of a call while it waits or works, and reads no messages: in memory that both threads
 * share. The writer runs one call at a time.
 */
export interface SharedCall {
  /** Before a call is handed over. */
  reset(): void
  /** False: it is being committed already. */
  cancel(): boolean
  isCancelled(): boolean
  /** From now on it cannot be cancelled. False: it was. */
  commit(): boolean
  /** Calls that wait for another process, now or later, give up after `ms`, all together. */
  limitLockWait(ms: number): void
  /** `deadline`, or the limit if that is earlier. In monotonic milliseconds. */
  atMost(deadline: number): number
}

const [OPEN, CANCELLED, COMMITTING] = [0, 1, 2]

export function newSharedCall(): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT)
  new Float64Array(shared, 0, 1)[0] = Number.POSITIVE_INFINITY
  return shared
}

export function sharedCallOf(shared: SharedArrayBuffer): SharedCall {
  const limit = new Float64Array(shared, 0, 1)
  const state = new Int32Array(shared, Float64Array.BYTES_PER_ELEMENT, 1)
  const becomes = (next: number): boolean => Atomics.compareExchange(state, 0, OPEN as number, next) === OPEN
  return {
    reset: () => void Atomics.store(state, 0, OPEN as number),
    cancel: () => becomes(CANCELLED as number),
    isCancelled: () => Atomics.load(state, 0) === CANCELLED,
    commit: () => becomes(COMMITTING as number),
    limitLockWait(ms) {
      limit[0] = monotonicMs() + ms
    },
    atMost: (deadline) => Math.min(deadline, limit[0] as number),
  }
}
