import { MemoryError } from '../core/errors.ts'

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

/** For a call that does not wait. */
export function busyError(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'another write is going on; nothing was changed. Try again')
}
