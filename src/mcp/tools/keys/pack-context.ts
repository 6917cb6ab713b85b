import { readEvent } from '../../../core/audit/reads.ts'
import { given } from '../../../util/given.ts'
import { integer, object, optional, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { TEXT_OUTPUT, textAnswer } from './answer.ts'

export const packContext = defineTool({
  name: 'pack_context',
  title: 'Pack context',
  description: 'Recall what is known about a topic: whole memories, as many as fit a budget of tokens.',
  hint: 'context for a prompt',
  toolset: 'keys',
  effect: 'looks',
  input: object({
    topic: text('The topic in words: the best matches are packed'),
    budget_tokens: optional(integer('Max tokens, from 1 to 100000. Default 2000')),
    ordering: optional(text('relevance+recency (the default), relevance or recency', { mayBeEmpty: true })),
  }),
  output: TEXT_OUTPUT,
  audited: () => [readEvent('memory_searched')],
  logged: ({ budget_tokens, ordering }) => ({ budget_tokens, ordering_bytes: ordering?.length }),

  async call({ memory }, { topic, budget_tokens: budgetTokens, ordering }) {
    return textAnswer(memory.keys, await memory.keys.pack({ topic, ...given({ budgetTokens, ordering }) }))
  },
})
