import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { depthIn, pageIn } from '../../model/variables.ts'

/** With a depth alone it is the nested tree, only so deep. */
export const treePage: MemoryResource = {
  uri: 'remindb://tree{?depth,cursor,limit}',
  name: 'tree-page',
  title: 'Tree, in pages',
  scope: 'memories:read',
  description:
    'A page of the outline: nodes in document order, flat, each with its parent and depth, and next_cursor.',
  audited: () => [readEvent('memory_listed')],
  async read(observer, variables) {
    const { cursor, limit } = variables
    if (cursor === undefined && limit === undefined)
      return observer.forestText(depthIn(variables), 'remindb://tree?limit=200')
    return envelopeText(await observer.forestPage({ ...depthIn(variables), ...pageIn(variables) }))
  },
}
