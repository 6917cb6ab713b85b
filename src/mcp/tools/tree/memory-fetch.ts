import { readEvent } from '../../../core/audit/reads.ts'
import { fetchText } from '../../../core/find/read/fetch-text.ts'
import { asOfJson, withAsOf } from '../../../core/past/as-of-text.ts'
import { fetchJson } from '../../../core/render/find-json.ts'
import { given } from '../../../util/given.ts'
import { object } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { AS_OF } from '../moment.ts'
import { INTEGER, members, rows, shape, TEXT, TEXT_OR_NULL } from '../output.ts'
import { AFTER, BUDGET, depthArgument, depthOf, loggedId, NODE_ID } from './arguments.ts'

const DEPTHS = { usual: 32, most: 128 }

export const memoryFetch = defineTool({
  name: 'MemoryFetch',
  description:
    'Read a note by id, with all above and below it. Its `snapshot` is the expected_version that MemoryWrite takes.',
  hint: 'read text',
  isMain: true,
  toolset: 'tree',
  effect: 'warms',
  input: object({
    id: NODE_ID,
    budget: BUDGET,
    depth: depthArgument('Levels below it', DEPTHS),
    after: AFTER,
    as_of: AS_OF,
  }),
  output: shape({
    anchor: TEXT,
    nodes: rows('id', 'type', 'label', 'depth', 'path', 'tokens', 'temperature', 'text'),
    left_out: members('above', 'below', 'tokens', 'next', 'is_more'),
    next: TEXT_OR_NULL,
    snapshot_id: INTEGER,
  }),
  missing: (id) => `failed to fetch: node ${id} not found`,
  audited: ({ id }) => [readEvent('memory_recalled', { node: id })],
  logged: ({ id, budget, depth }) => ({ anchor: loggedId(id), budget, depth }),

  async call({ memory }, { id: anchor, depth, as_of: asOf, ...args }) {
    const isPaged = args.budget === undefined || args.after !== undefined
    const answer = await memory.fetch({
      ...{ anchor, ...args, isPaged, depth: depthOf(depth, DEPTHS) },
      ...given({ asOf }),
    })
    return {
      text: withAsOf(fetchText(answer), answer),
      structured: { ...fetchJson(answer), next: answer.page?.next ?? null, ...asOfJson(answer) },
    }
  },
})
