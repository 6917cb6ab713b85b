/**
 * How long writes may still wait for another process. The writer's thread reads no messages while one waits: so it is told
 * by memory that both threads share.
 */
export interface Patience {
  /** Writes that wait now or later give up after `ms`, all together. */
  limit(ms: number): void
  /** `deadline`, or the limit if that is earlier. In milliseconds since 1970. */
  atMost(deadline: number): number
}

const NO_LIMIT = 0n

export function newPatience(): SharedArrayBuffer {
  return new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)
}

export function patienceOf(shared: SharedArrayBuffer): Patience {
  const until = new BigInt64Array(shared)
  return {
    limit: (ms) => void Atomics.store(until, 0, BigInt(Date.now() + ms)),
    atMost(deadline) {
      const limit = Atomics.load(until, 0)
      return limit === NO_LIMIT ? deadline : Math.min(deadline, Number(limit))
    },
  }
}
