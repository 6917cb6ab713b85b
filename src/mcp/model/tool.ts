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
  /** Sent instead of a text that is too long to send twice, if the data contains it. */
  briefly?: string
  /** The same as data: only if `sendsData`. */
  structured: Record<string, unknown>
  /** Sent instead of the text: an image, for one. */
  content?: readonly ContentBlock[]
  /** Additional data for the client, by names with a prefix (`_meta`). */
  meta?: Readonly<Record<string, unknown>>
  /** The call could not be made: the answer explains why. */
  isError?: boolean
}

/** The answer to a failed call. `isError` is false if it is a regular answer of the tool. */
export interface FailureAnswer extends ToolAnswer {
  isError: boolean
}

export interface CallContext {
  memory: AgentMemory
  /** The source is being compiled: missing content may still arrive. */
  isCompiling: boolean
  /** The client no longer wants the answer. */
  signal: AbortSignal
  /** The `_meta` of the call, without the entries of the protocol itself. */
  meta: Readonly<Record<string, unknown>>
}

/** The input for creating tools: settings by name, as they were when the server started. */
export interface ToolConfig {
  'files.memories'?: readonly MemoryNodeConfig[]
  'files.tools'?: readonly FileToolSetting[]
  'records.max_content'?: number
  'records.max_tags'?: number
}

/** One tool: its listing, the loggable part of a call, and the call itself. */
export interface Tool<A = unknown> {
  name: string
  /** For people. Default: the name. */
  title?: string
  /** Its first 150 characters must be enough: some clients show no more. */
  description: string
  /** Keywords for searching tools. */
  hint: string
  /** Agents see it without searching for it. */
  isMain?: boolean
  toolset: Toolset
  /** The smallest effect of a call. */
  access: Access
  /** The effect of a call with these arguments. Default: `access`. */
  accessOf?(args: A): Access
  /** The smallest scope that a call needs. */
  scope: NeededScope
  /** The scope that a call with these arguments needs. Default: `scope`. */
  scopeOf?(args: A): NeededScope
  /** The tool as offered to clients that are limited to this effect. Default: unchanged. */
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
   * The answer to a failed call, including one whose arguments were refused: `given` is the input. Default: the
   * message, as an error.
   */
  fail?(error: unknown, given: unknown): FailureAnswer | Promise<FailureAnswer>
}

/** A JSON Schema that a client sees, and the check of its input. */
export interface Schema<T> {
  json: Record<string, unknown>
  /** Throws INVALID_INPUT that names the argument and what is wrong with it. */
  parse(value: unknown): T
}
