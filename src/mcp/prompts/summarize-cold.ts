import { coldLine } from '../../core/stats-text.ts'
import type { ColdRow } from '../../core/store-heat.ts'
import type { Prompt } from './prompt.ts'

/** The list that sessions of the old era are sent, for whoever asks. */
export const summarizeCold: Prompt = {
  name: 'summarize-cold',
  title: 'Summarize cold memory',
  description: 'What nobody has read for a long time, with what to do about it',
  tools: ['MemoryFetch', 'MemorySummarize'],
  async get(hands) {
    const { cold } = await hands.stats()
    return {
      description: cold.length === 0 ? 'Nothing is cold' : `Cold nodes: ${cold.length}`,
      messages: [{ role: 'user', content: { type: 'text', text: promptText(cold) } }],
    }
  },
}

function promptText(cold: readonly ColdRow[]): string {
  if (cold.length === 0) return 'No node of the memory is cold. There is nothing to summarize.'
  return [
    'These nodes of the memory have not been read for a long time, coldest first. For each: read it with MemoryFetch, and',
    'if it is worth keeping replace its text by a shorter one that says the same with MemorySummarize. Ask before you',
    'remove anything.',
    '',
    ...cold.map(coldLine),
  ].join('\n')
}
