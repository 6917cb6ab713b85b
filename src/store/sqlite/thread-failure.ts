import { type ErrorCode, MemoryError } from '../../core/errors.ts'
import { translateError } from './errors.ts'

/** An error on its way between threads: it keeps its code. */
export interface ThreadFailure {
  code: string | null
  message: string
  detail: string | undefined
  name: string
  stack: string | undefined
}

export function toFailure(thrown: unknown): ThreadFailure {
  const error = translateError(thrown)
  const { message, name, stack } = error instanceof Error ? error : new Error(String(error))
  const { code, detail } = error instanceof MemoryError ? error : { code: null, detail: undefined }
  return { code, message, detail, name, stack }
}

export function fromFailure({ code, message, detail, name, stack }: ThreadFailure): Error {
  const error = code
    ? new MemoryError(code as ErrorCode, message, { detail })
    : Object.assign(new Error(message), { name })
  if (stack) error.stack = stack
  return error
}
