import { readEvent } from '../../../core/audit/reads.ts'
import { NOTHING_YET } from '../../../core/compile/compile-progress.ts'
import { MAX_LIMIT } from '../../../core/find/search-model.ts'
import { searchText } from '../../../core/find/search-text.ts'
import { asOfJson, withAsOf } from '../../../core/past/as-of-text.ts'
import { searchJson } from '../../../core/render/find-json.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { given } from '../../../util/given.ts'
import { integer, object, optional, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { AS_OF } from '../moment.ts'
import { INTEGER, INTEGER_OR_NULL, members, rows, shape, TEXT } from '../output.ts'
import { BUDGET, OFFSET } from './arguments.ts'

/** Long enough for a page of an error; a whole file would block other requests. */
const MAX_QUERY = 100_000

export const memorySearch = defineTool({
  name: 'MemorySearch',
  description:
    'Recall: search your long-term memory for what is known, before you start work. Any words, best first, with ids and snippets; also "phrases", AND, OR, NOT, prefix*, type:, path:, kind:, tag:, since:, pinned:.',
  hint: 'recall, find what is known',
  isMain: true,
  toolset: 'tree',
  effect: 'warms',
  input: object({
    query: text('What to look for', { mayBeEmpty: true, max: MAX_QUERY }),
    budget: BUDGET,
    limit: optional(integer(`Max hits, up to ${MAX_LIMIT}. Default 10`, { min: 1, max: MAX_LIMIT })),
    offset: OFFSET,
    as_of: AS_OF,
  }),
  output: shape({
    query: TEXT,
    hits: rows('id', 'type', 'label', 'path', 'heading_path', 'snippet', 'score', 'temperature', 'tokens'),
    left_out: INTEGER,
    next_offset: INTEGER_OR_NULL,
    searched: members('nodes', 'words', 'missing', 'filters', 'matched', 'complete', 'notes'),
  }),
  audited: () => [readEvent('memory_searched')],
  logged: ({ query, budget, limit }) => ({ query_bytes: utf8Length(query), budget, limit }),

  async call({ memory, isCompiling }, { as_of: asOf, ...args }) {
    const answer = await memory.search({ ...args, ...given({ asOf }) })
    const isNothingYet = isCompiling && answer.searched.nodes === 0
    return {
      text: isNothingYet ? NOTHING_YET : withAsOf(searchText(answer), answer),
      structured: { ...searchJson(answer), next_offset: answer.next, ...asOfJson(answer) },
    }
  },
})
