import { pythonRepr } from '../../util/text/python-text.ts'
import type { Prompt } from '../model/prompt.ts'
import { userMessage } from './user-message.ts'

export const whatDoYouKnowAbout: Prompt = {
  name: 'what-do-you-know-about',
  title: 'What do you know about…',
  description: 'Answer from memory, naming the keys',
  scope: 'memories:read',
  tools: ['search_memories'],
  arguments: [{ name: 'query', description: 'What to look for', required: true }],
  async get(_hands, { query = '' }) {
    return userMessage(
      'What the memory knows',
      [
        `Call the tool search_memories with query=${pythonRepr(query)} and top_k=10. Tell me what the memories it finds say,`,
        'and name the key of each one you use. If it finds none, say plainly that nothing is remembered about this.',
      ].join('\n'),
    )
  },
}
