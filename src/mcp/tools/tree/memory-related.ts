import { readEvent } from '../../../core/audit/reads.ts'
import { MAX_HOPS, RELATED_DIRECTIONS } from '../../../core/find/read/related-model.ts'
import { relatedText } from '../../../core/find/read/related-text.ts'
import { relatedJson } from '../../../core/render/find-json.ts'
import { given } from '../../../util/given.ts'
import { choice, integer, number, object, optional } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { FLAG, INTEGER, INTEGER_OR_NULL, rows, shape, TEXT } from '../output.ts'
import { depthArgument, depthOf, LIMIT, loggedId, NODE_ID, OFFSET } from './arguments.ts'

const DEPTHS = { usual: 1, most: MAX_HOPS }

export const memoryRelated = defineTool({
  name: 'MemoryRelated',
  description: 'Find the notes linked to a note, heaviest path first.',
  hint: 'graph',
  toolset: 'tree',
  effect: 'warms',
  input: object({
    id: NODE_ID,
    direction: optional(choice(RELATED_DIRECTIONS, 'Default both')),
    depth: depthArgument('Hops', DEPTHS),
    budget: optional(integer('Max tokens; 0: no limit. Default 1000', { min: 0 })),
    weight_min: optional(number('Least weight. Default 0')),
    limit: LIMIT,
    offset: OFFSET,
  }),
  output: shape({
    anchor: TEXT,
    related: rows('id', 'type', 'label', 'path', 'hop', 'weight', 'temperature', 'tokens', 'via'),
    left_out: INTEGER,
    next_offset: INTEGER_OR_NULL,
    complete: FLAG,
  }),
  audited: ({ id }) => [readEvent('memory_searched', { node: id })],
  logged: ({ id, direction, depth, budget, weight_min }) => ({
    anchor: loggedId(id),
    direction,
    depth,
    budget,
    weight_min,
  }),

  async call({ memory }, { id: anchor, depth, weight_min: minWeight, ...args }) {
    const levels = depthOf(depth, DEPTHS)
    const answer = await memory.related({ anchor, ...args, depth: levels, ...given({ minWeight }) })
    return { text: relatedText(answer), structured: { ...relatedJson(answer), next_offset: answer.next } }
  },
})
