import { readEvent } from '../../../core/audit/reads.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { given } from '../../../util/given.ts'
import { flag, integer, list, number, object, optional, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { FLAG, INTEGER, TEXT } from '../output.ts'
import { LIST_LENGTH, objectAnswer } from './answer.ts'
import { OFFSET } from './arguments.ts'
import { FOUND_KEYS } from './found-keys.ts'

/** Long enough for a page of an error; a whole file would block other requests. */
const MAX_QUERY = 100_000

export const searchMemories = defineTool({
  name: 'search_memories',
  title: 'Search memories',
  description:
    'Search your long-term memory for what is known, before you start work. Finds memories by their words, their key and how recent they are, best first.',
  hint: 'recall, find what is known',
  isMain: true,
  toolset: 'keys',
  effect: 'looks',
  input: object({
    query: text('What to look for', { mayBeEmpty: true, max: MAX_QUERY }),
    top_k: optional(integer('How many at most, from 1 to 50. Default 10')),
    min_score: optional(number('The minimum score, from 0 to 1')),
    filter_tags: optional(
      list(text('Tag'), {
        max: 100,
        mayBeEmpty: true,
        description: 'Only memories with all of these tags',
      }),
    ),
    w_semantic: optional(
      number('How much the meaning counts: nothing yet, since nothing finds by meaning. Default 0.6'),
    ),
    w_keyword: optional(number('How much it counts that the words are in the key or the value. Default 0.3')),
    w_recency: optional(number('How much it counts to be recent. Default 0.1')),
    include_redacted: optional(flag('Also redacted ones, by the words of their key. Default false')),
    offset: OFFSET,
  }),
  output: {
    type: 'object',
    properties: { items: FOUND_KEYS, count: INTEGER, query: TEXT, has_more: FLAG, next_offset: INTEGER },
    required: ['items', 'count', 'query'],
  },
  audited: () => [readEvent('memory_searched')],
  logged: ({ query, top_k, filter_tags }) => ({
    query_bytes: utf8Length(query),
    top_k,
    filter_tags: filter_tags?.length,
  }),

  async call({ memory }, args) {
    const weights = given({ semantic: args.w_semantic, keyword: args.w_keyword, recency: args.w_recency })
    const found = await memory.keys.search({
      query: args.query,
      weights,
      ...given({
        topK: args.top_k,
        minScore: args.min_score,
        filterTags: args.filter_tags,
        includeRedacted: args.include_redacted,
        offset: args.offset,
        maxLength: args.top_k === undefined ? LIST_LENGTH : undefined,
      }),
    })
    return objectAnswer(memory.keys, found)
  },
})
