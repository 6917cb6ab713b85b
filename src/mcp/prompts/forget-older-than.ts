import { MemoryError } from '../../core/errors.ts'
import type { Prompt } from '../model/prompt.ts'
import { userMessage } from './user-message.ts'

export const forgetOlderThan: Prompt = {
  name: 'forget-older-than',
  title: 'Forget older than…',
  description: 'Review memories that were not recalled lately, and forget the ones agreed on',
  scope: 'memories:read',
  tools: ['list_tags', 'list_memories', 'forget'],
  arguments: [{ name: 'days', description: 'A whole number of days', required: true }],
  async get(_hands, { days = '' }) {
    return userMessage('Go through old memories', textFor(daysIn(days)))
  },
}

function daysIn(text: string): number {
  const trimmed = text.trim()
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed)
  throw new MemoryError('INVALID_INPUT', 'days must be a whole number of days, such as 90')
}

function textFor(days: number): string {
  return [
    `Help me forget memories that were not recalled in the last ${days} days:`,
    '',
    '1. Call list_tags, then list_memories for each tag, page by page; or list_memories without a tag, which lists all.',
    `2. A memory is old when its last_accessed_at (if null: its version, which is a time) is more than ${days} days ago.`,
    '3. Show me the key and that time of each old memory, and ask about each one separately whether to forget it.',
    '4. Only after I agreed to one, call forget with its key.',
    '',
    'Never forget several in one step, and do not use forget_all.',
  ].join('\n')
}
