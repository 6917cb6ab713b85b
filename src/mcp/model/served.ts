import type { AuditEvent } from '../../core/audit/events.ts'
import type { CompileProgress } from '../../core/compile/compile-progress.ts'
import type { Redact } from '../../core/redact.ts'
import type { Gate } from '../../util/gate.ts'
import type { Log } from '../../util/log.ts'
import type { Allowance } from './access.ts'
import type { AgentMemory } from './agent-memory.ts'
import type { Answers } from './answer-data.ts'
import type { Caller } from './caller.ts'
import type { Observer, ServerObserver } from './observer.ts'
import type { Scheme } from './scheme.ts'
import type { Tool } from './tool.ts'

/** The offer of a server to one client, and the memory behind it. The same for all its connections. */
export interface Served {
  version: string
  /** The tools, resources and prompts of a client, limited by its rights. */
  tools: readonly Tool[]
  /** The current limit of this client's rights: they can change while it is connected. */
  allowed(): Allowance
  /** How many calls the client may make. Undefined: any number. */
  rate?: RateLimit | undefined
  /** Whether answers have data beside their text. */
  answers: Answers
  /** Which resources it is offered. */
  schemes: readonly Scheme[]
  memory: ServedMemory
  /** The state of the server itself, even if its memory cannot be opened. */
  observer: ServerObserver
  /** The server was asked to end: calls that it can no longer wait for are given up. */
  isEnding(): boolean
  log: Log
  /** Removes secrets from input before it is stored or logged. Loaded on first use. */
  redact(): Promise<Redact>
  /** Removes paths of the host from error messages for this client. Missing: it may see them. */
  hidePaths?: (text: string) => string
  /** Milliseconds, for how long things take. */
  clock: () => number
}

/** How often one client may call, and how much it may do at once, over all its connections. Calls are tool calls and reads of resources. */
export interface RateLimit {
  /** Counts a call. Throws LIMIT_EXCEEDED if there were too many. */
  count(): void
  /** For `_meta`: limits, and how much of them is used. */
  figures(): Readonly<Record<string, number | null>>
  /** Runs its calls, a few at once: the others wait, so that they hold up no other client. */
  gate: Gate
}

/** A memory as callers reach it. The first caller opens it. */
export interface ServedMemory {
  /** For tools: reads warm, and the caller signs the writes. Work that `signal` aborts before it is stored is not stored. */
  as(caller: Caller, signal?: AbortSignal): Promise<AgentMemory>
  /** What a tool has read for the caller goes into the audit, soon. */
  record(caller: Caller, events: readonly AuditEvent[]): void
  /** For resources: no side effects. Work that `signal` aborts before it starts never starts. */
  observer(signal?: AbortSignal): Promise<Observer>
  /** How far a compile is: of the source for the first time, or one in the background. */
  compiling(): Promise<CompileProgress | undefined>
}
