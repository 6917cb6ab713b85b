import type { ContentBlock } from '@modelcontextprotocol/server'
import type { NeededScope } from '../../core/access/scopes.ts'
import type { AuditEvent } from '../../core/audit/events.ts'
import type { MemoryNodeConfig } from '../../core/files/model.ts'
import type { FileToolSetting } from '../../core/files/tool-config.ts'
import type { LogFields } from '../../util/log.ts'
import type { Access, Allowance } from './access.ts'
import type { AgentMemory } from './agent-memory.ts'

/** The ways to the same memory, in the order in which their tools are listed. */
export const TOOLSETS = ['tree', 'records', 'keys', 'files'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** Where a client finds how far a compile is, in `meta`. */
export const COMPILING_META = 'remindb/compiling'

export interface ToolAnswer {
  text: string
  /** Sent instead of a text that is too long to be sent twice, where the data has it. */
  briefly?: string
  /** The same as data: only where `sendsData` says so. */
  structured: Record<string, unknown>
  /** Sent instead of the text: an image, for one. */
  content?: readonly ContentBlock[]
  /** What a client may read beside the answer, by names with a prefix (`_meta`). */
  meta?: Readonly<Record<string, unknown>>
  /** The call could not be made: what is wrong with it is in the answer. */
  isError?: boolean
}

/** What a client is told when a call failed. Where that is part of the tool's own answers, `isError` is false. */
export interface FailureAnswer extends ToolAnswer {
  isError: boolean
}

export interface CallContext {
  memory: AgentMemory
  /** The source is being compiled: what is not there may still come. */
  isCompiling: boolean
  /** The client no longer wants the answer. */
  signal: AbortSignal
  /** What the client sent beside the arguments (`_meta`), without what the protocol itself has there. */
  meta: Readonly<Record<string, unknown>>
}

/** What tools can be made from: settings by their name, as they were when the server started. */
export interface ToolConfig {
  'files.memories'?: readonly MemoryNodeConfig[]
  'files.tools'?: readonly FileToolSetting[]
  'records.max_content'?: number
  'records.max_tags'?: number
}

/** One tool: what a client is shown of it, what a log may say of a call, and the call itself. */
export interface Tool<A = unknown> {
  name: string
  /** For people. Default: the name. */
  title?: string
  /** Its first 150 characters must be enough: some clients show no more. */
  description: string
  /** Words that somebody may search tools by. */
  hint: string
  /** Agents see it without searching for it. */
  isMain?: boolean
  toolset: Toolset
  /** The least that a call of it does. */
  access: Access
  /** What a call with these arguments does. Default: `access`. */
  accessOf?(args: A): Access
  /** What a call of it needs at least. */
  scope: NeededScope
  /** What a call with these arguments needs. Default: `scope`. */
  scopeOf?(args: A): NeededScope
  /** The tool as it is offered where calls may do no more than this. Default: as it is. */
  within?(allowance: Allowance): Tool
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: false
  }
  input: Schema<A>
  /** JSON Schema of `structured`. */
  output: Record<string, unknown>
  /** What the audit has of a call that reads. A write records itself. Default: nothing. */
  audited?(args: A, answer: ToolAnswer): readonly AuditEvent[]
  /** Ids, counts and sizes; never content. */
  logged(args: A): LogFields
  call(context: CallContext, args: A): Promise<ToolAnswer>
  /**
   * The answer to a call that failed, also to one whose arguments were refused: `given` is what the client sent. Default: the
   * message, as an error.
   */
  fail?(error: unknown, given: unknown): FailureAnswer | Promise<FailureAnswer>
}

/** A JSON Schema as a client is shown it, and the check of what it then sends. */
export interface Schema<T> {
  json: Record<string, unknown>
  /** Throws INVALID_INPUT that says what is wrong with which argument. */
  parse(value: unknown): T
}
