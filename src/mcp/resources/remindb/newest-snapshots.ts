import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { limitIn } from '../../model/variables.ts'

export const newestSnapshots: MemoryResource = {
  uri: 'remindb://snapshots{?limit}',
  name: 'newest-snapshots',
  title: 'Newest snapshots',
  scope: 'memories:read',
  description: 'The newest snapshots, as many as limit says.',
  audited: () => [readEvent('history_read')],
  read: async (observer, variables) =>
    envelopeText(await observer.snapshots(limitIn(variables)), { paged: 'remindb://snapshots?cursor=start' }),
}
