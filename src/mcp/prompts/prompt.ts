import type { GetPromptResult } from '@modelcontextprotocol/server'
import type { Hands } from '../hands.ts'

/** A prompt that a person can choose in a client. */
export interface Prompt {
  name: string
  title: string
  description: string
  get(hands: Hands): Promise<GetPromptResult>
}
