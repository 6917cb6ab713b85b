import { type Failure, toFailure } from '../../core/failure.ts'
import type { Context } from './database/context.ts'
import { translateError } from './database/errors.ts'
import type { WriterOptions } from './database/open.ts'
import type { BatchOptions, WriterCommand } from './writer.ts'

/** A database that threads have handles on. It is sent with each task: a thread opens what it does not have open. */
export interface HostedDatabase {
  /** Unique in this process. */
  id: number
  options: WriterOptions
  /** The `CallStates` of the batch that runs. */
  calls: SharedArrayBuffer
}

/** To the thread: one task at a time, and while it runs the parts that it asks for. */
export type ThreadRequest =
  | { kind: 'task'; database: HostedDatabase; task: Task }
  | { kind: 'part'; part: IteratorResult<unknown> }
  | { kind: 'no part'; failure: Failure }
  /** Closes the handles on a database that no task is running on. */
  | { kind: 'release'; id: number }
  | { kind: 'end' }

export type Task =
  | { kind: 'run'; jobs: NamedJob[]; options: BatchOptions }
  | { kind: 'command'; name: WriterCommand; args: unknown[] }
  | { kind: 'query'; name: string; input: unknown; now: number }
  | { kind: 'check'; owned: Owned }

/** A job with the name of its operation. */
export interface NamedJob {
  name: string
  input: unknown
  /** It requests parts. */
  hasSource: boolean
  staged: string | undefined
}

/** From the thread. `next part`: the running operation requests the next part of its source, one at a time. */
export type ThreadReply =
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'next part' }
  | { kind: 'released'; id: number; failure: Failure | undefined }

/** The outcome of an operation as a message. */
export type SentOutcome = { result: unknown } | { failure: Failure }

/** Space and owner to check: a damaged file may have lost them. */
export type Owned = Pick<Context, 'spaceId' | 'ownerId' | 'owner'>

/** An error of the thread as a message. */
export function sentFailure(thrown: unknown): Failure {
  return toFailure(translateError(thrown))
}
