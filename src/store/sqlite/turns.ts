import { MemoryError } from '../../core/errors.ts'

/** One thing after the other, in the order they were asked for; one that fails does not hold up the next. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  return {
    take<T>(work: () => Promise<T>): Promise<T> {
      if (isClosed) return Promise.reject(closedError())
      const turn = last.then(work)
      last = turn.catch(() => undefined)
      return turn
    },
    /** Refuses what comes later and waits for what was asked for. */
    async close(): Promise<void> {
      isClosed = true
      await last
    },
  }
}

export function closedError(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'the memory is closed; open it again')
}
