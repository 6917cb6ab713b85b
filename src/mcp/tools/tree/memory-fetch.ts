import { fetchJson } from '../../../core/find/fetch-json.ts'
import { fetchText } from '../../../core/find/fetch-text.ts'
import { object } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, members, rows, shape, TEXT, TEXT_OR_NULL } from '../output.ts'
import { AFTER, BUDGET, depthArgument, depthOf, loggedId, NODE_ID } from './arguments.ts'

const DEPTHS = { usual: 32, most: 128 }

export const memoryFetch = defineTool({
  name: 'MemoryFetch',
  title: 'Read a node',
  description:
    'Read a node with all above and below it, in document order; the nearest where the budget is small. `snapshot` on its line is what expected_version of MemoryWrite takes.',
  toolset: 'tree',
  effect: 'warms',
  input: object({
    anchor: NODE_ID,
    budget: BUDGET,
    depth: depthArgument('Levels below it', DEPTHS),
    after: AFTER,
  }),
  output: shape({
    anchor: TEXT,
    nodes: rows('id', 'type', 'label', 'depth', 'path', 'tokens', 'temperature', 'text'),
    left_out: members('above', 'below', 'tokens', 'next', 'is_more'),
    next: TEXT_OR_NULL,
    snapshot_id: INTEGER,
  }),
  missing: (id) => `failed to fetch: node ${id} not found`,
  logged: ({ anchor, budget, depth }) => ({ anchor: loggedId(anchor), budget, depth }),

  async call({ hands }, { depth, ...args }) {
    const isPaged = args.budget === undefined || args.after !== undefined
    const answer = await hands.fetch({ ...args, isPaged, depth: depthOf(depth, DEPTHS) })
    return { text: fetchText(answer), structured: { ...fetchJson(answer), next: answer.page?.next ?? null } }
  },
})
