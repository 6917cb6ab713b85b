import { readEvent } from '../../../core/audit/reads.ts'
import { DEFAULT_ROOM } from '../../../core/find/budget.ts'
import { asOfJson } from '../../../core/past/as-of-text.ts'
import { MAX_CATEGORY, MAX_PAGE, MAX_SEARCH, USUAL_PAGE } from '../../../core/records/limits.ts'
import { IMPORTANCES } from '../../../core/records/model.ts'
import { SORT_KEYS, SORT_ORDERS } from '../../../core/records/sort.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { given } from '../../../util/given.ts'
import { choice, flag, integer, object, optional, text } from '../../model/schema.ts'
import { AS_OF } from '../moment.ts'
import { FLAG, INTEGER } from '../output.ts'
import { type ArgumentLimits, idArgument, MEMORIES, TYPE, tagsArgument } from './arguments.ts'
import { defineRecordTool, jsonAnswer } from './define-record-tool.ts'

/** For the records in an answer without a requested limit, not counting the envelope. */
const LIST_LENGTH = DEFAULT_ROOM - 200

export const queryMemories = ({ maxTags }: ArgumentLimits) =>
  defineRecordTool({
    name: 'query_memories',
    title: 'Query memories',
    description:
      'Recall: search your long-term memory for what is known, before you start work. Finds memories by words, type, tags and importance. What it returns counts as accessed.',
    hint: 'recall, find what is known',
    isMain: true,
    effect: 'warms',
    input: object({
      id: optional(idArgument('Only this one')),
      type: optional(TYPE),
      tags: optional(tagsArgument(maxTags, 'Only memories with all of these')),
      search: optional(
        text(
          `Words that must all be in the content, in any form; "phrases" in quotes; at most ${MAX_SEARCH} characters`,
          {
            mayBeEmpty: true,
            max: MAX_SEARCH,
          },
        ),
      ),
      importance: optional(choice(IMPORTANCES, 'Only those')),
      category: optional(text('Exactly this one', { max: MAX_CATEGORY })),
      archived: optional(flag('Include archived memories. Default false')),
      limit: optional(integer(`From 1 to ${MAX_PAGE}. Default ${USUAL_PAGE}`, { min: 1, max: MAX_PAGE })),
      offset: optional(integer('How many to skip. Default 0', { min: 0 })),
      as_of: AS_OF,
      sort_by: optional(choice(SORT_KEYS, 'Default accessed_at')),
      sort_order: optional(choice(SORT_ORDERS, 'Default desc: newest, most, high first')),
    }),
    output: { memories: MEMORIES, total: INTEGER, limit: INTEGER, offset: INTEGER, has_more: FLAG },
    audited: ({ search }) => [readEvent(search === undefined ? 'memory_listed' : 'memory_searched')],
    logged: ({ search, tags, category, as_of: _, ...args }) => ({
      ...args,
      search_bytes: search === undefined ? undefined : utf8Length(search),
      tags: tags?.length,
      category_bytes: category === undefined ? undefined : utf8Length(category),
    }),

    async call({ memory }, { as_of: asOf, ...args }) {
      const maxLength = args.limit === undefined ? LIST_LENGTH : undefined
      const { readAt, ...page } = await memory.records.query({ ...args, ...given({ maxLength, asOf }) })
      return jsonAnswer({ ...page, ...asOfJson(given({ readAt })) })
    },
  })
