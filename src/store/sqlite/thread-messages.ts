import { type ErrorCode, type Hint, MemoryError } from '../../core/errors.ts'
import type { Context } from './context.ts'
import { translateError } from './errors.ts'
import type { WriterOptions } from './open.ts'
import type { BatchOptions, WriterCommand } from './writer.ts'

/** What a thread of the store is started with. */
export interface ThreadStart {
  options: WriterOptions
  /** The `CallStates` of the batch that runs. */
  calls: SharedArrayBuffer
}

/** To the thread: one request at a time, and while it runs the parts that it asks for. */
export type ThreadRequest =
  | { kind: 'run'; jobs: NamedJob[]; options: BatchOptions }
  | { kind: 'command'; name: WriterCommand; args: unknown[] }
  | { kind: 'query'; name: string; input: unknown; now: number }
  | { kind: 'check'; owned: Owned }
  | { kind: 'close' }
  | { kind: 'part'; part: IteratorResult<unknown> }
  | { kind: 'no part'; failure: ThreadFailure }

/** A job with the name of its operation. */
export interface NamedJob {
  name: string
  input: unknown
  /** It asks for parts. */
  hasSource: boolean
}

/** From the thread. `next part`: the running operation asks for the next part of its source, one at a time. */
export type ThreadReply =
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; failure: ThreadFailure }
  | { kind: 'next part' }

/** What became of an operation, on its way between threads. */
export type SentOutcome = { result: unknown } | { failure: ThreadFailure }

/** Whose memory is checked: a damaged file may no longer tell. */
export type Owned = Pick<Context, 'spaceId' | 'ownerId' | 'owner'>

/** An error on its way between threads: it keeps its code. */
export interface ThreadFailure {
  code: string | null
  message: string
  detail: string | undefined
  hint: Hint | undefined
  name: string
  stack: string | undefined
}

export function toFailure(thrown: unknown): ThreadFailure {
  const error = translateError(thrown)
  const { message, name, stack } = error instanceof Error ? error : new Error(String(error))
  if (!(error instanceof MemoryError))
    return { code: null, message, detail: undefined, hint: undefined, name, stack }
  const { code, problem, detail, hint } = error
  return { code, message: problem, detail, hint, name, stack }
}

export function fromFailure({ code, message, detail, hint, name, stack }: ThreadFailure): Error {
  const error = code
    ? new MemoryError(code as ErrorCode, message, { detail, hint })
    : Object.assign(new Error(message), { name })
  if (stack) error.stack = stack
  return error
}
