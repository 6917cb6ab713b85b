import { readEvent } from '../../../core/audit/reads.ts'
import { batchText } from '../../../core/find/read/fetch-batch-text.ts'
import { MAX_IDS } from '../../../core/find/read/fetch-model.ts'
import { batchJson } from '../../../core/render/find-json.ts'
import { formerly, list, object } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
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

  async call({ memory }, args) {
    const answer = await memory.fetchBatch({ ...args, isPaged: args.budget === undefined })
    return { text: batchText(answer), structured: { ...batchJson(answer), next: answer.next } }
  },
})
