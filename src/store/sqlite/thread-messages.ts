import { type ErrorCode, MemoryError } from '../../core/errors.ts'
import type { Context } from './context.ts'
import { translateError } from './errors.ts'
import type { WriterOptions } from './open.ts'
import type { RunOptions, WriterCommand } from './writer.ts'

/** What a thread of the store is started with. */
export interface ThreadStart {
  options: WriterOptions
  /** A `CallState`. */
  call: SharedArrayBuffer
}

/** What a running operation asks of its caller: the next part of its source, how long to wait for a lock. */
export type Question = 'part' | 'waitMs'

/** To the thread: one request at a time, and while it runs the answers to its questions. */
export type ThreadRequest =
  | { kind: 'run'; name: string; input: unknown; options: Pick<RunOptions, 'durable' | 'now'> }
  | { kind: 'command'; name: WriterCommand; args: unknown[] }
  | { kind: 'check'; owned: Owned }
  | { kind: 'close' }
  | { kind: 'answer'; value: unknown }
  | { kind: 'refusal'; failure: ThreadFailure }

/** From the thread: an operation asks only one question at a time. */
export type ThreadReply =
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; failure: ThreadFailure }
  | { kind: 'question'; question: Question }

/** Whose memory is checked: a damaged file may no longer tell. */
export type Owned = Pick<Context, 'spaceId' | 'ownerId' | 'owner'>

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
