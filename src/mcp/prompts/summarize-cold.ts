import { coldLine } from '../../core/render/stats-text.ts'
import type { ColdRow } from '../../core/rows/heat.ts'
import type { Prompt } from '../model/prompt.ts'

const MOST_LISTED = 50

/** More than MemoryStats suggests: a person wants to do it now. */
export const summarizeCold: Prompt = {
  name: 'summarize-cold',
  title: 'Summarize cold memory',
  description: 'Long nodes that have not been read for a month, with instructions',
  scope: 'memories:read',
  tools: ['MemoryFetch', 'MemorySummarize'],
  async get(memory) {
    const cold = await memory.worthShortening({ limit: MOST_LISTED })
    return {
      description: cold.length === 0 ? 'Nothing is worth shortening' : `Long unread nodes: ${cold.length}`,
      messages: [{ role: 'user', content: { type: 'text', text: promptText(cold) } }],
    }
  },
}

function promptText(cold: readonly ColdRow[]): string {
  if (cold.length === 0)
    return 'No long node of the memory has been unread for a month. There is nothing to summarize.'
  return [
    'These nodes of the memory are long and have not been read for a month, coldest first. For each: read it with MemoryFetch, and',
    'if it is worth keeping replace its text by a shorter one that says the same with MemorySummarize. Ask before you',
    'remove anything.',
    '',
    ...cold.map(coldLine),
  ].join('\n')
}
