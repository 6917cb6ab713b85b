import type { Needs } from './access.ts'
import type { Caller } from './caller.ts'

/** What a client asks for, and who it is. */
export interface Request<P = unknown> {
  params: P
  caller: Caller
  /** The revision of the protocol that the client speaks. */
  protocol: string
  /** The client no longer wants the answer. */
  signal: AbortSignal
  /** What came beside the arguments (`_meta`). */
  meta?: Readonly<Record<string, unknown>> | undefined
}

/** A request that is understood and not carried out yet: what it does to the memory decides whether it may be. */
export interface Call<R> extends Needs {
  /** As a refusal names it. */
  name: string
  /** It is answered at once, however many calls are running. */
  isQuick?: true
  run(): Promise<R>
  /** What a client gets for a failure, a refusal included: an answer, or an error that is thrown. Default: the error itself. */
  fail?(error: unknown): R | Promise<R>
}

/** Which revisions of the protocol a client speaks: those before 2026-07-28, or from then on. */
export type Era = 'legacy' | 'modern'
