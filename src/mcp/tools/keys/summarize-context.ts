import { readEvent } from '../../../core/audit/reads.ts'
import { given } from '../../../util/given.ts'
import { integer, object, optional, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { LIST_LENGTH, TEXT_OUTPUT, textAnswer } from './answer.ts'

/** The listing: no model is involved, as `_meta` states. */
export const summarizeContext = defineTool({
  name: 'summarize_context',
  title: 'Summarise context',
  description: 'Recall a topic: lists the memories that have it as a tag, newest first.',
  hint: 'summary of a tag',
  toolset: 'keys',
  effect: 'looks',
  input: object({
    topic: text('The tag of the memories; list_tags shows them'),
    offset: optional(integer('Go on: `offset` of the last answer', { min: 0 })),
  }),
  output: TEXT_OUTPUT,
  audited: () => [readEvent('context_summarized')],
  logged: () => ({}),

  async call({ memory }, { topic, offset }) {
    const page = { maxLength: LIST_LENGTH, ...given({ offset }) }
    return textAnswer(memory.keys, await memory.keys.summarize(topic, page), { summaryMode: 'listed' })
  },
})
