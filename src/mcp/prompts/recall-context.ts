import { pythonRepr } from '../../util/text/python-text.ts'
import type { Prompt } from '../model/prompt.ts'
import { userMessage } from './user-message.ts'

export const recallContext: Prompt = {
  name: 'recall-context',
  title: 'Recall context',
  description: 'Start with the memories about a topic',
  scope: 'memories:read',
  tools: ['summarize_context'],
  arguments: [{ name: 'topic', description: 'The tag to recall', required: true }],
  async get(_hands, { topic = '' }) {
    return userMessage(
      'Memories about a topic',
      [
        `Call the tool summarize_context with topic=${pythonRepr(topic)} and keep what it returns in mind as the context of`,
        'what follows. If nothing is remembered about it, say so and ask me what to remember.',
      ].join('\n'),
    )
  },
}
