import { pythonRepr } from '../../util/text/python-text.ts'
import type { Prompt } from '../model/prompt.ts'
import { userMessage } from './user-message.ts'

export const rememberThis: Prompt = {
  name: 'remember-this',
  title: 'Remember this',
  description: 'Store something under a key',
  scope: 'memories:read',
  tools: ['remember'],
  arguments: [
    { name: 'key', description: 'The key to store it under', required: true },
    { name: 'value', description: 'What to remember', required: true },
    { name: 'tags', description: 'Tags, separated by commas', required: false },
  ],
  async get(_hands, { key = '', value = '', tags = '' }) {
    return userMessage(
      'Store something under a key',
      [
        'Call the tool remember with these arguments, exactly as they stand, and then confirm what was stored:',
        '',
        `key=${pythonRepr(key)}`,
        `tags=[${namesIn(tags).map(pythonRepr).join(', ')}]`,
        `value=${pythonRepr(value)}`,
      ].join('\n'),
    )
  },
}

function namesIn(tags: string): string[] {
  return tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}
