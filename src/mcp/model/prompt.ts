import type { GetPromptResult } from '@modelcontextprotocol/server'
import type { Scope } from '../../core/access/scopes.ts'
import type { AgentMemory } from './agent-memory.ts'

/** A prompt that a person can choose in a client. */
export interface Prompt {
  name: string
  title: string
  description: string
  /** The scope that a client needs to get it; its tools may need more. */
  scope: Scope
  /** Tools that it asks an agent to call: it is offered with them only. */
  tools: readonly string[]
  /** The arguments that a person fills in, in this order; missing: none. */
  arguments?: readonly PromptArgument[]
  /** The given arguments, including every required one. */
  get(memory: AgentMemory, args: Readonly<Record<string, string>>): Promise<GetPromptResult>
}

export interface PromptArgument {
  name: string
  description: string
  required: boolean
}
