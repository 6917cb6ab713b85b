import type { LogFields } from '../../util/log.ts'
import type { Hands } from '../hands.ts'

export const TOOLSETS = ['tree'] as const
export type Toolset = (typeof TOOLSETS)[number]

export interface ToolAnswer {
  text: string
  structured: Record<string, unknown>
}

export interface CallContext {
  hands: Hands
  /** The client no longer wants the answer. */
  signal: AbortSignal
}

/** One tool: what a client is shown of it, what a log may say of a call, and the call itself. */
export interface Tool<A = unknown> {
  name: string
  title: string
  description: string
  toolset: Toolset
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: false
  }
  input: Schema<A>
  /** JSON Schema of `structured`. */
  output: Record<string, unknown>
  /** Ids, counts and sizes; never content. */
  logged(args: A): LogFields
  call(context: CallContext, args: A): Promise<ToolAnswer>
}

/** A JSON Schema as a client is shown it, and the check of what it then sends. */
export interface Schema<T> {
  json: Record<string, unknown>
  /** Throws INVALID_INPUT that says what is wrong with which argument. */
  parse(value: unknown): T
}
