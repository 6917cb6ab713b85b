import { NOTHING_YET } from '../../../core/compile-progress.ts'
import { treeJson } from '../../../core/find/tree-json.ts'
import { treeText } from '../../../core/find/tree-text.ts'
import { object, optional } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { rows, shape, TEXT_OR_NULL } from '../output.ts'
import { AFTER, BUDGET, depthArgument, depthOf, idArgument, LIMIT, loggedId } from './arguments.ts'

const DEPTHS = { usual: 5, most: 128 }

export const memoryTree = defineTool({
  name: 'MemoryTree',
  title: 'Outline',
  description:
    'See what there is: a line a node with label, id, file, heat and tokens, without texts, in document order. Read texts with MemoryFetch.',
  toolset: 'tree',
  effect: 'warms',
  input: object({
    root: optional(idArgument('Only this node and below')),
    depth: depthArgument('Levels below the top', DEPTHS),
    budget: BUDGET,
    limit: LIMIT,
    after: AFTER,
  }),
  output: shape({
    nodes: rows('id', 'type', 'label', 'depth', 'path', 'tokens', 'temperature'),
    next: TEXT_OR_NULL,
  }),
  missing: (id) => `failed to get root: node ${id} not found`,
  logged: ({ root, depth, budget }) => ({ root: loggedId(root), depth, budget }),

  async call({ hands, isCompiling }, { depth, ...args }) {
    const answer = await hands.tree({ ...args, depth: depthOf(depth, DEPTHS) })
    const isNothingYet = isCompiling && answer.nodes.length === 0
    return { text: isNothingYet ? NOTHING_YET : treeText(answer), structured: treeJson(answer) }
  },
})
