import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { depthIn, pageIn, required } from '../../model/variables.ts'

export const subtreePage: MemoryResource = {
  uri: 'remindb://tree/{rootId}{?depth,cursor,limit}',
  name: 'subtree-page',
  title: 'Subtree, in pages',
  scope: 'memories:read',
  description:
    'A page of the outline of one node and its descendants, flat, and next_cursor. With depth=1: its children.',
  audited: ({ rootId }) => [readEvent('memory_listed', { node: rootId })],
  async read(observer, variables) {
    const rootId = required(variables, 'rootId', 'tree uri missing root id')
    return envelopeText(await observer.forestPage({ rootId, ...depthIn(variables), ...pageIn(variables) }))
  },
}
