import { readEvent } from '../../../core/audit/reads.ts'
import { given } from '../../../util/given.ts'
import { integer, object, optional } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { FLAG, INTEGER, TEXT } from '../output.ts'
import { LIST_LENGTH, objectAnswer } from './answer.ts'
import { KEY, keySize, OFFSET } from './arguments.ts'
import { FOUND_KEYS } from './found-keys.ts'

export const relateMemories = defineTool({
  name: 'relate_memories',
  title: 'Relate memories',
  description: 'Find the memories whose values are most like the value of a key.',
  hint: 'similar',
  toolset: 'keys',
  effect: 'looks',
  input: object({
    key: KEY,
    top_k: optional(integer('How many at most, from 1 to 50. Default 5')),
    offset: OFFSET,
  }),
  output: {
    type: 'object',
    properties: { items: FOUND_KEYS, count: INTEGER, key: TEXT, has_more: FLAG, next_offset: INTEGER },
    required: ['items', 'count', 'key'],
  },
  audited: ({ key }) => [readEvent('memory_searched', { key })],
  logged: ({ key, top_k }) => ({ ...keySize(key), top_k }),

  async call({ memory }, { key, top_k: topK, offset }) {
    const maxLength = topK === undefined ? LIST_LENGTH : undefined
    return objectAnswer(memory.keys, await memory.keys.relate({ key, ...given({ topK, offset, maxLength }) }))
  },
})
