import { type ErrorCode, type Hint, MemoryError } from './errors.ts'

/** An error as plain data that can be sent between threads; it keeps its code. */
export interface Failure {
  code: string | null
  message: string
  detail: string | undefined
  hint: Hint | undefined
  name: string
  stack: string | undefined
}

export function toFailure(error: unknown): Failure {
  const { message, name, stack } = error instanceof Error ? error : new Error(String(error))
  if (!(error instanceof MemoryError))
    return { code: null, message, detail: undefined, hint: undefined, name, stack }
  const { code, problem, detail, hint } = error
  return { code, message: problem, detail, hint, name, stack }
}

export function fromFailure({ code, message, detail, hint, name, stack }: Failure): Error {
  const error = code
    ? new MemoryError(code as ErrorCode, message, { detail, hint })
    : Object.assign(new Error(message), { name })
  if (stack) error.stack = stack
  return error
}
