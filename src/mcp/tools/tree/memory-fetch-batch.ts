import { batchText } from '../../../core/find/fetch-batch-text.ts'
import { batchJson } from '../../../core/find/fetch-json.ts'
import { MAX_IDS } from '../../../core/find/fetch-model.ts'
import { list, object } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, rows, shape, TEXT_OR_NULL, TEXTS } from '../output.ts'
import { BUDGET, NODE_ID } from './arguments.ts'

export const memoryFetchBatch = defineTool({
  name: 'MemoryFetchBatch',
  title: 'Read many nodes',
  description:
    'Read many nodes, each alone, in one call and one budget. Ids that are not found or over the budget are listed at the end.',
  toolset: 'tree',
  effect: 'warms',
  input: object({ node_ids: list(NODE_ID, { max: MAX_IDS, description: 'Ids of nodes' }), budget: BUDGET }),
  output: shape({
    nodes: rows('id', 'type', 'label', 'path', 'tokens', 'temperature', 'text'),
    not_found: TEXTS,
    over_budget: TEXTS,
    next: TEXT_OR_NULL,
    snapshot_id: INTEGER,
  }),
  logged: ({ node_ids, budget }) => ({ ids: node_ids.length, budget }),

  async call({ hands }, { node_ids: ids, ...args }) {
    const answer = await hands.fetchBatch({ ids, ...args, isPaged: args.budget === undefined })
    return { text: batchText(answer), structured: { ...batchJson(answer), next: answer.next } }
  },
})
