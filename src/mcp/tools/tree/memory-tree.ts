import { readEvent } from '../../../core/audit/reads.ts'
import { NOTHING_YET } from '../../../core/compile/compile-progress.ts'
import { DEFAULT_BUDGET } from '../../../core/find/budget.ts'
import type { TreeAnswer } from '../../../core/find/read/tree-model.ts'
import { treeText } from '../../../core/find/read/tree-text.ts'
import { asOfJson, withAsOf } from '../../../core/past/as-of-text.ts'
import { treeJson } from '../../../core/render/find-json.ts'
import { firstLookJson, firstLookText } from '../../../core/render/first-look-text.ts'
import { given } from '../../../util/given.ts'
import { formerly, object, optional } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { AS_OF } from '../moment.ts'
import { rows, shape, TEXT_OR_NULL } from '../output.ts'
import { AFTER, BUDGET, depthArgument, depthOf, idArgument, LIMIT, loggedId } from './arguments.ts'

const DEPTHS = { usual: 5, most: 128 }

export const memoryTree = defineTool({
  name: 'MemoryTree',
  description:
    'See what your long-term memory holds: an outline, or a map of a large one; ids, whose texts MemoryFetch reads.',
  hint: 'overview, list',
  isMain: true,
  toolset: 'tree',
  effect: 'warms',
  input: object({
    id: optional(formerly(idArgument('Only this node and below'), 'root')),
    depth: depthArgument('0: a line a document. Levels', DEPTHS),
    budget: BUDGET,
    limit: LIMIT,
    after: AFTER,
    as_of: AS_OF,
  }),
  output: shape({
    nodes: rows('id', 'type', 'label', 'depth', 'path', 'tokens', 'temperature'),
    next: TEXT_OR_NULL,
  }),
  missing: (id) => `failed to get root: node ${id} not found`,
  audited: ({ id }) => [readEvent('memory_listed', { node: id })],
  logged: ({ id, depth, budget }) => ({ root: loggedId(id), depth, budget }),

  async call({ memory, isCompiling }, { id: root, depth, as_of: asOf, ...args }) {
    const textOf = (answer: TreeAnswer, text: string): string =>
      isCompiling && answer.nodes.length === 0 ? NOTHING_YET : text
    const at = given({ asOf })
    const { after, limit, budget } = args
    if (depth === undefined && root === undefined && after === undefined && limit === undefined) {
      const look = await memory.firstLook({ depth: DEPTHS.usual, ...(budget ? { budget } : {}), ...at })
      const text = firstLookText(look)
      return {
        text: withAsOf(look.kind === 'outline' ? textOf(look.outline, text) : text, look),
        structured: { ...firstLookJson(look), ...asOfJson(look) },
      }
    }
    const levels = depth === 0 && root === undefined ? 0 : depthOf(depth, DEPTHS)
    const isOpen = budget === undefined && limit === undefined
    const answer = await memory.tree({
      ...given({ root }),
      ...args,
      ...(isOpen && { budget: DEFAULT_BUDGET }),
      depth: levels,
      ...at,
    })
    return {
      text: withAsOf(textOf(answer, treeText(answer)), answer),
      structured: { ...treeJson(answer), ...asOfJson(answer) },
    }
  },
})
