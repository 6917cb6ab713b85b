import type { CompileProgress } from '../core/compile-progress.ts'
import type { Redact } from '../core/redact.ts'
import type { Log } from '../util/log.ts'
import type { Answers } from './answer-data.ts'
import type { Hands } from './hands.ts'
import type { Observer } from './observer.ts'
import type { Scheme } from './resources/scheme.ts'
import type { Access, Tool } from './tools/tool.ts'

/** What is served: one memory, as clients reach it. The same for every connection. */
export interface Served {
  version: string
  /** What a client is offered, as far as it is allowed. */
  tools: readonly Tool[]
  /** The most that a call may do. */
  allowed: Access
  /** Whether answers have data beside their text. */
  answers: Answers
  /** Which resources it is offered. */
  schemes: readonly Scheme[]
  /** The memory is opened while the first client is already being answered: both wait for it. */
  hands(author: string, signal?: AbortSignal): Promise<Hands>
  observer(): Promise<Observer>
  /** How far a compile is: of the source for the first time, or one in the background. */
  compiling(): Promise<CompileProgress | undefined>
  /** The server was asked to end: calls that it can no longer wait for are given up. */
  isEnding(): boolean
  log: Log
  /** Takes secrets out of what a client said before that gets anywhere. Loaded when it is first needed. */
  redact(): Promise<Redact>
  /** Milliseconds, for how long things take. */
  clock: () => number
}

/** Who is calling, as far as a server can tell. */
export interface Caller {
  sessionId: string
  /** Signs what the client writes. */
  author: string
}
