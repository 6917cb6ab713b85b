import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { pageIn } from '../../model/variables.ts'

export const graphPage: MemoryResource = {
  uri: 'remindb://graph{?cursor,limit}',
  name: 'graph-page',
  title: 'Graph, in pages',
  scope: 'memories:read',
  description: 'A page of edges, then of pending links, with their nodes, and next_cursor.',
  audited: () => [readEvent('memory_listed')],
  read: async (observer, variables) => envelopeText(await observer.graphPage(pageIn(variables))),
}
