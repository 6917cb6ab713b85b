/** Every way an operation can fail. Adapters map each code in an exhaustive table. */
export const ERROR_CODES = [
  'NOT_FOUND',
  'INVALID_INPUT',
  'CONFLICT',
  'FORBIDDEN',
  'UNAVAILABLE',
  'NEWER_DATABASE',
  'OLDER_DATABASE',
  'NOT_A_DATABASE',
  'CORRUPTED_DATA',
  'READ_ONLY',
  'TIMEOUT',
  'LIMIT_EXCEEDED',
  'REDACTED',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** What to look up instead. Each surface words it: commands on a terminal, tools for an agent. */
export interface Hint {
  find: 'node' | 'snapshot'
  /** The id that was not found, if that is the only problem. */
  id?: string
}

const WHERE: Record<Hint['find'], string> = {
  node: 'list the nodes with `remindb tree`',
  snapshot: 'list them with `remindb history`',
}

export interface MemoryErrorOptions {
  cause?: unknown
  detail?: string | undefined
  hint?: Hint | undefined
}

/** A failure that a caller can act on: the message says what was wrong and what to do. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError'
  readonly code: ErrorCode
  /** The error code of a door that has codes of its own. */
  readonly detail: string | undefined
  readonly hint: Hint | undefined
  /** The message without the hint. */
  readonly problem: string

  constructor(code: ErrorCode, problem: string, { detail, hint, ...options }: MemoryErrorOptions = {}) {
    super(hint ? `${problem}; ${WHERE[hint.find]}` : problem, options)
    this.code = code
    this.detail = detail
    this.hint = hint
    this.problem = problem
  }
}

export function noSnapshot(id: number): MemoryError {
  const hint = { find: 'snapshot', id: `${id}` } as const
  return new MemoryError('NOT_FOUND', `snapshot ${id} not found`, { hint })
}

/** A number that a snapshot had before pruning, or before a rollback that dropped it. */
export function prunedSnapshot(id: number, nearest: number): MemoryError {
  return new MemoryError('NOT_FOUND', `snapshot ${id} was pruned; the nearest kept moment is ${nearest}`)
}

/** Checks arguments of callers without types. `message` says what is expected. */
export function needs(isGiven: boolean, message: string): asserts isGiven {
  if (!isGiven) throw new MemoryError('INVALID_INPUT', message)
}

export function notACursor(): MemoryError {
  return new MemoryError(
    'INVALID_INPUT',
    'after must be the after= of the last line of an earlier answer to the same call; start over without it',
  )
}

/** A rejected value, for messages: not every value can be converted to a string. */
export function shown(value: unknown): string {
  const isPlain = value === null || typeof value !== 'object'
  if (!isPlain) return 'an object'
  return typeof value === 'symbol' || typeof value === 'function' ? `a ${typeof value}` : `${value}`
}

export function isMemoryError(error: unknown): error is MemoryError {
  return error instanceof MemoryError
}
