import type { GetPromptResult } from '@modelcontextprotocol/server'

/** A prompt that is one message of the user. */
export function userMessage(description: string, text: string): GetPromptResult {
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}
