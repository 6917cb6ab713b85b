import { type ErrorCode, isMemoryError, MemoryError } from '../../core/errors.ts'

/** Error codes that clients of records and of `memory://` know. */
export type ErrorWord =
  | 'INVALID_INPUT'
  | 'NOT_FOUND'
  | 'RESOURCE_NOT_FOUND'
  | 'REDACTED'
  | 'STORAGE_ERROR'
  | 'PERMISSION_ERROR'
  | 'CORRUPTED_DATA'
  | 'LIMIT_EXCEEDED'
  | 'INTERNAL_ERROR'

const WORDS: Record<ErrorCode, ErrorWord> = {
  NOT_FOUND: 'NOT_FOUND',
  INVALID_INPUT: 'INVALID_INPUT',
  // They have no code for conflicts: the request does not fit the current state.
  CONFLICT: 'INVALID_INPUT',
  FORBIDDEN: 'PERMISSION_ERROR',
  UNAVAILABLE: 'STORAGE_ERROR',
  NEWER_DATABASE: 'STORAGE_ERROR',
  OLDER_DATABASE: 'STORAGE_ERROR',
  NOT_A_DATABASE: 'CORRUPTED_DATA',
  CORRUPTED_DATA: 'CORRUPTED_DATA',
  READ_ONLY: 'PERMISSION_ERROR',
  TIMEOUT: 'STORAGE_ERROR',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
  REDACTED: 'REDACTED',
}

const CORRUPTED = 'Memory storage corrupted. Run repair tool or restore from backup.'

/** No resource can have this URI. */
export class UnknownUri extends MemoryError {
  constructor(uri: string) {
    super('NOT_FOUND', `Resource URI not recognized: ${uri}`)
  }
}

/** How a tool says it. */
export function wordOf(error: unknown): ErrorWord {
  return isMemoryError(error) ? WORDS[error.code] : 'INTERNAL_ERROR'
}

/** How the read of a `memory://` resource says it: there, not being allowed to is one more way that the storage fails. */
export function readFailure(error: MemoryError): { word: ErrorWord; message: string } {
  if (error instanceof UnknownUri) return { word: 'RESOURCE_NOT_FOUND', message: error.message }
  const word = wordOf(error)
  if (word === 'CORRUPTED_DATA') return { word, message: CORRUPTED }
  if (word !== 'STORAGE_ERROR' && word !== 'PERMISSION_ERROR') return { word, message: error.message }
  const reason = error.code === 'FORBIDDEN' ? 'permission denied' : error.message
  return { word: 'STORAGE_ERROR', message: `Unable to read memory storage: ${reason}` }
}
