import type { AuditEvent } from '../../core/audit/events.ts'
import type { CompileProgress } from '../../core/compile/compile-progress.ts'
import type { Redact } from '../../core/redact.ts'
import type { Log } from '../../util/log.ts'
import type { Allowance } from './access.ts'
import type { AgentMemory } from './agent-memory.ts'
import type { Answers } from './answer-data.ts'
import type { Caller } from './caller.ts'
import type { Observer, ServerObserver } from './observer.ts'
import type { Scheme } from './scheme.ts'
import type { Tool } from './tool.ts'

/** What a server offers to one client, and the memory behind it. The same for all its connections. */
export interface Served {
  version: string
  /** What a client is offered, as far as it is allowed. */
  tools: readonly Tool[]
  /** The most that this client may do now: what it was granted can change while it is connected. */
  allowed(): Allowance
  /** Whether answers have data beside their text. */
  answers: Answers
  /** Which resources it is offered. */
  schemes: readonly Scheme[]
  memory: ServedMemory
  /** What the server knows of itself, whether or not its memory can be opened. */
  observer: ServerObserver
  /** The server was asked to end: calls that it can no longer wait for are given up. */
  isEnding(): boolean
  log: Log
  /** Takes secrets out of what a client said before that gets anywhere. Loaded when it is first needed. */
  redact(): Promise<Redact>
  /** Milliseconds, for how long things take. */
  clock: () => number
}

/** A memory as callers reach it. The first of them opens it. */
export interface ServedMemory {
  /** For tools: reads warm, and the caller signs what is written. What `signal` gives up before it is stored is not stored. */
  as(caller: Caller, signal?: AbortSignal): Promise<AgentMemory>
  /** What a tool has read for the caller goes into the audit, soon. */
  record(caller: Caller, events: readonly AuditEvent[]): void
  /** For resources: nothing is felt. What `signal` gives up before it begins never begins. */
  observer(signal?: AbortSignal): Promise<Observer>
  /** How far a compile is: of the source for the first time, or one in the background. */
  compiling(): Promise<CompileProgress | undefined>
}
