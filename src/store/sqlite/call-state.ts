export interface CallState {
  /** Before an operation is handed to the writer, which runs one at a time. */
  reset(): void
  /** False: it is being committed already. */
  cancel(): boolean
  isCancelled(): boolean
  /** From now on it cannot be cancelled. False: it was. */
  commit(): boolean
}

const [OPEN, CANCELLED, COMMITTING] = [0, 1, 2]

/** In memory that threads can share: a writer that is at work reads no messages. */
export function callState(shared: SharedArrayBuffer): CallState {
  const cell = new Int32Array(shared)
  const becomes = (next: number): boolean => Atomics.compareExchange(cell, 0, OPEN, next) === OPEN
  return {
    reset: () => void Atomics.store(cell, 0, OPEN),
    cancel: () => becomes(CANCELLED),
    isCancelled: () => Atomics.load(cell, 0) === CANCELLED,
    commit: () => becomes(COMMITTING),
  }
}

export function newCallState(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}
