import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import { asOfJson } from '../../../core/past/as-of-text.ts'
import { given } from '../../../util/given.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { depthIn, pageIn, required } from '../../model/variables.ts'

export const treeAt: MemoryResource = {
  uri: 'remindb://at/{moment}/tree{?root,depth,cursor,limit}',
  name: 'tree-at',
  title: 'Tree of the past',
  scope: 'memories:read',
  description:
    'A page of the outline as of a moment: a snapshot, a checkpoint, a date or time; flat, as remindb://tree?limit=200.',
  audited: ({ root }) => [readEvent('memory_listed', root === undefined ? {} : { node: root })],
  async read(observer, variables) {
    const moment = required(variables, 'moment', 'uri of the past missing moment')
    const input = { ...given({ rootId: variables.root }), ...depthIn(variables), ...pageIn(variables) }
    const { readAt, ...page } = await observer.forestPage({ ...input, asOf: moment })
    return envelopeText({ ...asOfJson(given({ readAt })), ...page })
  },
}
