import { given } from '../../../util/given.ts'
import { object } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { FLAG, INTEGER, TEXT, TEXTS } from '../output.ts'
import { LIST_LENGTH, objectAnswer } from './answer.ts'
import { CURSOR } from './arguments.ts'

export const listTags = defineTool({
  name: 'list_tags',
  title: 'List tags',
  description: 'List every tag that a memory has, sorted.',
  hint: 'topics',
  toolset: 'keys',
  effect: 'looks',
  input: object({ cursor: CURSOR }),
  output: {
    type: 'object',
    properties: { tags: TEXTS, count: INTEGER, too_long: INTEGER, has_more: FLAG, next_cursor: TEXT },
    required: ['tags', 'count'],
  },
  logged: () => ({}),

  async call({ memory }, { cursor }) {
    const page = { maxLength: LIST_LENGTH, ...given({ cursor }) }
    return objectAnswer(memory.keys, await memory.keys.listTags(page))
  },
})
