import { type Failure, toFailure } from '../../core/failure.ts'
import type { Context } from './database/context.ts'
import { translateError } from './database/errors.ts'
import type { WriterOptions } from './database/open.ts'
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
  | { kind: 'no part'; failure: Failure }

/** A job with the name of its operation. */
export interface NamedJob {
  name: string
  input: unknown
  /** It asks for parts. */
  hasSource: boolean
  staged: string | undefined
}

/** From the thread. `next part`: the running operation asks for the next part of its source, one at a time. */
export type ThreadReply =
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'next part' }

/** What became of an operation, on its way between threads. */
export type SentOutcome = { result: unknown } | { failure: Failure }

/** Whose memory is checked: a damaged file may no longer tell. */
export type Owned = Pick<Context, 'spaceId' | 'ownerId' | 'owner'>

/** What an error of the thread becomes on its way, whatever the driver called it. */
export function sentFailure(thrown: unknown): Failure {
  return toFailure(translateError(thrown))
}
