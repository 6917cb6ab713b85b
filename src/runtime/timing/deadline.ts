import { MemoryError } from '../../core/errors.ts'
import { formatDuration } from '../../util/text/duration.ts'

/** A timer cannot wait longer: 24 days. */
const LONGEST_MS = 2 ** 31 - 1

export interface Deadline extends Disposable {
  /** Aborted when the caller's is, or when the time is up. */
  signal: AbortSignal | undefined
}

/** Time for a compile, from now on. 0: as long as it takes. */
export function openDeadline(timeoutMs: number, given?: AbortSignal): Deadline {
  if (timeoutMs === 0) return { signal: given, [Symbol.dispose]: () => undefined }
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(timeoutError(timeoutMs)), Math.min(timeoutMs, LONGEST_MS))
  return {
    signal: given ? AbortSignal.any([given, late.signal]) : late.signal,
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

function timeoutError(timeoutMs: number): MemoryError {
  return new MemoryError(
    'TIMEOUT',
    `failed to compile: wall-clock timeout exceeded after ${formatDuration(timeoutMs)}; raise compile.wall_clock_timeout or compile less`,
  )
}
