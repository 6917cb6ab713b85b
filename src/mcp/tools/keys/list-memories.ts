import { readEvent } from '../../../core/audit/reads.ts'
import { given } from '../../../util/given.ts'
import { flag, integer, object, optional, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { FLAG, INTEGER, rows, TEXT } from '../output.ts'
import { LIST_LENGTH, objectAnswer } from './answer.ts'

export const listMemories = defineTool({
  name: 'list_memories',
  title: 'List memories',
  description: 'List the memories with a tag, oldest first, or all of them by key, a page at a time.',
  hint: 'show all keys',
  toolset: 'keys',
  effect: 'looks',
  input: object({
    tag: optional(text('Only memories with this tag; list_tags lists them. Default: all memories')),
    limit: optional(integer('How many at most, from 1 to 500. Default 100')),
    cursor: optional(text('next_cursor of the page before')),
    include_redacted: optional(flag('Include redacted memories. Default false')),
  }),
  output: {
    type: 'object',
    properties: {
      items: rows(
        'key',
        'value',
        'value_type',
        'content_type',
        'size_bytes',
        'tags',
        'owner_client_id',
        'recall_count',
        'last_accessed_at',
        'version',
      ),
      count: INTEGER,
      has_more: FLAG,
      next_cursor: TEXT,
    },
    required: ['items', 'count', 'has_more'],
  },
  audited: () => [readEvent('memory_listed')],
  logged: ({ limit }) => ({ limit }),

  async call({ memory }, { tag, limit, cursor, include_redacted: includeRedacted }) {
    const maxLength = limit === undefined ? LIST_LENGTH : undefined
    const page = await memory.keys.list(given({ tag, limit, cursor, includeRedacted, maxLength }))
    return objectAnswer(memory.keys, page)
  },
})
