import { type Failure, toFailure } from '../../core/failure.ts'
import type { Context } from './database/context.ts'
import { translateError } from './database/errors.ts'
import type { WriterOptions } from './database/open.ts'
import type { BatchOptions, WriterCommand } from './writer.ts'

/** The `workerData` of a store thread. */
export interface ThreadStart {
  options: WriterOptions
  /** Of a thread that writes: the `CallStates` of the batch that runs. */
  calls?: SharedArrayBuffer
}

/** To the thread: one request at a time, and the parts that it requests while it runs. */
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
  /** It requests parts. */
  hasSource: boolean
}

/** From the thread. `next part`: the running operation requests the next part of its source, one at a time. */
export type ThreadReply =
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'next part' }

/** The outcome of an operation as a message. */
export type SentOutcome = { result: unknown } | { failure: Failure }

/** Space and owner to check: a damaged file may have lost them. */
export type Owned = Pick<Context, 'spaceId' | 'ownerId' | 'owner'>

/** An error of the thread as a message. */
export function sentFailure(thrown: unknown): Failure {
  return toFailure(translateError(thrown))
}
