import type { Needs } from './access.ts'
import type { Caller } from './caller.ts'

/** The request of a client, and its sender. */
export interface Request<P = unknown> {
  params: P
  caller: Caller
  /** The revision of the protocol that the client speaks. */
  protocol: string
  /** The client no longer wants the answer. */
  signal: AbortSignal
  /** The `_meta` of the request. */
  meta?: Readonly<Record<string, unknown>> | undefined
}

/** A parsed request that has not run yet: its effect on the memory decides whether it may. */
export interface Call<R> extends Needs {
  /** As a refusal names it. */
  name: string
  /** It is answered immediately, even if many calls are running. */
  isQuick?: true
  run(): Promise<R>
  /** Turns a failure, including a refusal, into an answer, or throws an error. Default: throws the error itself. */
  fail?(error: unknown): R | Promise<R>
}

/** Which revisions of the protocol a client speaks: before 2026-07-28, or from then on. */
export type Era = 'legacy' | 'modern'
