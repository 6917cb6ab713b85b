import { MemoryError } from '../core/errors.ts'

/** Things that callers take in turns, first come, first served. What was given back last is taken next. */
export function createTurns<T extends object>(free: T[]) {
  const waiting: ((one: T) => void)[] = []
  return {
    isFree: (): boolean => free.length > 0,
    /** Nobody waits for one that is free. A call that is aborted while it waits fails with the signal's reason. */
    take(signal?: AbortSignal): T | Promise<T> {
      return (
        free.pop() ??
        new Promise((resolve, reject) => {
          const start = (one: T): void => {
            signal?.removeEventListener('abort', drop)
            resolve(one)
          }
          const drop = (): void => {
            waiting.splice(waiting.indexOf(start), 1)
            reject(abortError(signal))
          }
          signal?.addEventListener('abort', drop, { once: true })
          waiting.push(start)
        })
      )
    },
    giveBack(one: T): void {
      const next = waiting.shift()
      if (next) next(one)
      else free.push(one)
    },
  }
}

/** What the caller of an aborted call gets: the reason that was given, where that is an error. */
export function abortError(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error
    ? reason
    : new MemoryError('UNAVAILABLE', 'the call was cancelled; nothing was changed', { cause: reason })
}

export function closedError(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'the memory is closed; open it again')
}
