import { object } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, shape, TEXTS } from '../output.ts'
import { objectAnswer } from './answer.ts'

export const listTags = defineTool({
  name: 'list_tags',
  title: 'List tags',
  description: 'List every tag that a memory has, sorted.',
  hint: 'topics',
  toolset: 'keys',
  effect: 'looks',
  input: object({}),
  output: shape({ tags: TEXTS, count: INTEGER }),
  logged: () => ({}),
  call: async ({ hands }) => objectAnswer(hands.keys, await hands.keys.listTags()),
})
