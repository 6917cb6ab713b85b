/** How many operations one batch has at most. */
export const MAX_BATCH = 64

/** How far each call of a batch has come, by its place in the batch. */
export interface CallStates {
  /** Before a batch is handed to the writer, which runs one at a time. */
  reset(): void
  /** `unbegun`: it never begins. `running`: it will be undone. `done`: too late. */
  cancel(place: number): 'unbegun' | 'running' | 'done'
  isCancelled(place: number): boolean
  /** False: it was cancelled. */
  begin(place: number): boolean
  /** It has run: from now on it cannot be cancelled. False: it was. */
  finish(place: number): boolean
}

const [UNBEGUN, RUNNING, DONE, CANCELLED] = [0, 1, 2, 3]

/** In shared memory: a busy writer thread does not receive messages. */
export function callStates(shared: SharedArrayBuffer): CallStates {
  const cells = new Int32Array(shared)
  const becomes = (place: number, from: number, to: number): boolean =>
    Atomics.compareExchange(cells, place, from, to) === from
  const isCancelled = (place: number): boolean => Atomics.load(cells, place) === CANCELLED
  return {
    reset: () => void cells.fill(UNBEGUN),
    cancel(place) {
      if (becomes(place, UNBEGUN, CANCELLED)) return 'unbegun'
      return becomes(place, RUNNING, CANCELLED) ? 'running' : 'done'
    },
    isCancelled,
    begin(place) {
      becomes(place, UNBEGUN, RUNNING)
      return !isCancelled(place)
    },
    finish(place) {
      becomes(place, RUNNING, DONE)
      return !isCancelled(place)
    },
  }
}

export function newCallStates(): SharedArrayBuffer {
  return new SharedArrayBuffer(MAX_BATCH * Int32Array.BYTES_PER_ELEMENT)
}
