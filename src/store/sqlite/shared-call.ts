import { monotonicMs } from '../../util/monotonic.ts'

/**
 * What the writer's thread and its callers must know of each other while the thread waits or works, and reads no messages: in
 * memory that both share. The writer runs one call at a time.
 */
export interface SharedCall {
  /** Before a call is handed over. */
  reset(): void
  /** False: it is being committed already. */
  cancel(): boolean
  isCancelled(): boolean
  /** From now on it cannot be cancelled. False: it was. */
  commit(): boolean
  /**
   * For how long calls have waited for the lock of another process so far, together. A call that may wait for `ms` gives up when
   * this is `ms` more than it was when it was made: the time that a call before it waited counts too, but not the time that it
   * worked.
   */
  lockWaitMs(): number
  /** The writer waits for the lock from now on; or no longer. */
  setWaiting(isWaiting: boolean): void
  /** Calls that wait for a lock, now or later, give up after `ms` more of that, all together. */
  limitLockWait(ms: number): void
  /** `deadline`, or the limit if that is earlier. As `lockWaitMs` counts. */
  atMost(deadline: number): number
}

const [OPEN, CANCELLED, COMMITTING] = [0n, 1n, 2n] as const
const [STATE, WAITED, WAITING_SINCE, LIMIT] = [0, 1, 2, 3] as const
const NOT_WAITING = -1n
const NO_LIMIT = -1n

export function newSharedCall(): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(4 * BigInt64Array.BYTES_PER_ELEMENT)
  const cells = new BigInt64Array(shared)
  cells[WAITING_SINCE] = NOT_WAITING
  cells[LIMIT] = NO_LIMIT
  return shared
}

export function sharedCallOf(shared: SharedArrayBuffer): SharedCall {
  const cells = new BigInt64Array(shared)
  const get = (cell: number): bigint => Atomics.load(cells, cell)
  const set = (cell: number, value: bigint): void => void Atomics.store(cells, cell, value)
  const becomes = (next: bigint): boolean => Atomics.compareExchange(cells, STATE, OPEN, next) === OPEN
  const now = (): bigint => BigInt(Math.round(monotonicMs()))
  function waited(): bigint {
    const since = get(WAITING_SINCE)
    return get(WAITED) + (since === NOT_WAITING ? 0n : now() - since)
  }
  return {
    reset: () => set(STATE, OPEN),
    cancel: () => becomes(CANCELLED),
    isCancelled: () => get(STATE) === CANCELLED,
    commit: () => becomes(COMMITTING),
    lockWaitMs: () => Number(waited()),
    setWaiting(isWaiting) {
      const total = waited()
      set(WAITING_SINCE, isWaiting ? now() : NOT_WAITING)
      set(WAITED, total)
    },
    limitLockWait: (ms) => set(LIMIT, waited() + BigInt(Math.round(ms))),
    atMost(deadline) {
      const limit = get(LIMIT)
      return limit === NO_LIMIT ? deadline : Math.min(deadline, Number(limit))
    },
  }
}
