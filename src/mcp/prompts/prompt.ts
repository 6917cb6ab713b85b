import type { GetPromptResult } from '@modelcontextprotocol/server'
import type { Hands } from '../hands.ts'
import type { Toolset } from '../tools/tool.ts'

/** A prompt that a person can choose in a client. */
export interface Prompt {
  name: string
  title: string
  description: string
  /** Whose tools it speaks of: it is offered with them only. */
  toolset: Toolset
  /** What a person is asked for, in this order; missing: nothing. */
  arguments?: readonly PromptArgument[]
  /** Those arguments that were given; the required ones were. */
  get(hands: Hands, args: Readonly<Record<string, string>>): Promise<GetPromptResult>
}

export interface PromptArgument {
  name: string
  description: string
  required: boolean
}
