import { MemoryError } from '../../core/errors.ts'

/** One thing after the other, in the order they were asked for; one that fails does not hold up the next. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let waiting = 0
  return {
    take<T>(work: () => Promise<T>): Promise<T> {
      if (isClosed) return Promise.reject(closedError())
      waiting++
      const turn = last.then(work).finally(() => waiting--)
      last = turn.catch(() => undefined)
      return turn
    },
    /** Takes a turn if it is there at once. */
    takeNow<T>(work: () => Promise<T>): Promise<T> {
      return waiting > 0 ? Promise.reject(busyError()) : this.take(work)
    },
    /** Refuses what comes later and waits for what was asked for. */
    async close(): Promise<void> {
      isClosed = true
      await last
    },
  }
}

function busyError(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'another write is going on; nothing was changed. Try again')
}

export function closedError(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'the memory is closed; open it again')
}
