import { type ErrorCode, MemoryError } from '../../core/errors.ts'
import { translateError } from './errors.ts'

/** An error on its way between threads: it keeps its code. */
export interface ThreadFailure {
  code: string | null
  message: string
  detail: string | undefined
  stack: string | undefined
}

export function toFailure(thrown: unknown): ThreadFailure {
  const error = translateError(thrown)
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const { code, detail } = error instanceof MemoryError ? error : { code: null, detail: undefined }
  return { code, message, detail, stack }
}

export function fromFailure({ code, message, detail, stack }: ThreadFailure): Error {
  const error = code ? new MemoryError(code as ErrorCode, message, { detail }) : new Error(message)
  if (stack) error.stack = stack
  return error
}
