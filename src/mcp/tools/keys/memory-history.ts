import { readEvent } from '../../../core/audit/reads.ts'
import { given } from '../../../util/given.ts'
import { integer, object, optional } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { FLAG, INTEGER, rows, TEXT } from '../output.ts'
import { LIST_LENGTH, objectAnswer } from './answer.ts'
import { CURSOR, KEY, keySize } from './arguments.ts'

export const memoryHistory = defineTool({
  name: 'memory_history',
  title: 'Memory history',
  description: 'List the previous versions of a key, newest first. restore_memory restores one of them.',
  hint: 'past versions',
  toolset: 'keys',
  effect: 'looks',
  input: object({
    key: KEY,
    limit: optional(
      integer('At most this many versions, up to 1000, with whole values', { min: 1, max: 1000 }),
    ),
    cursor: CURSOR,
  }),
  output: {
    type: 'object',
    properties: {
      versions: rows('version_timestamp', 'value', 'tags', 'recorded_at'),
      count: INTEGER,
      has_more: FLAG,
      next_cursor: TEXT,
    },
    required: ['versions', 'count'],
  },
  audited: ({ key }) => [readEvent('history_read', { key })],
  logged: ({ key, limit }) => ({ ...keySize(key), limit }),

  async call({ memory }, { key, limit, cursor }) {
    const maxLength = limit === undefined ? LIST_LENGTH : undefined
    return objectAnswer(memory.keys, await memory.keys.history(key, given({ limit, cursor, maxLength })))
  },
})
