import { readEvent } from '../../../core/audit/reads.ts'
import { batchText } from '../../../core/find/read/fetch-batch-text.ts'
import { MAX_IDS } from '../../../core/find/read/fetch-model.ts'
import { asOfJson, withAsOf } from '../../../core/past/as-of-text.ts'
import { batchJson } from '../../../core/render/find-json.ts'
import { given } from '../../../util/given.ts'
import { formerly, list, object } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { AS_OF } from '../moment.ts'
import { INTEGER, rows, shape, TEXT_OR_NULL, TEXTS } from '../output.ts'
import { BUDGET, NODE_ID } from './arguments.ts'

export const memoryFetchBatch = defineTool({
  name: 'MemoryFetchBatch',
  description: 'Read several notes by id, each alone. Ids not found or over budget come last.',
  hint: 'read many',
  toolset: 'tree',
  effect: 'warms',
  input: object({
    ids: formerly(list(NODE_ID, { max: MAX_IDS, description: `Ids of 1 to ${MAX_IDS} nodes` }), 'node_ids'),
    budget: BUDGET,
    as_of: AS_OF,
  }),
  output: shape({
    nodes: rows('id', 'type', 'label', 'path', 'tokens', 'temperature', 'text'),
    not_found: TEXTS,
    over_budget: TEXTS,
    next: TEXT_OR_NULL,
    snapshot_id: INTEGER,
  }),
  audited: (_, { structured }) =>
    (structured.nodes as { id: string }[]).map(({ id }) => readEvent('memory_recalled', { node: id })),
  logged: ({ ids, budget }) => ({ ids: ids.length, budget }),

  async call({ memory }, { as_of: asOf, ...args }) {
    const isPaged = args.budget === undefined
    const answer = await memory.fetchBatch({ ...args, isPaged, ...given({ asOf }) })
    return {
      text: withAsOf(batchText(answer), answer),
      structured: { ...batchJson(answer), next: answer.next, ...asOfJson(answer) },
    }
  },
})
