import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { pageIn, snapshotIn } from '../../model/variables.ts'

export const diffsPage: MemoryResource = {
  uri: 'remindb://snapshots/{id}/diffs{?cursor,limit}',
  name: 'diffs-page',
  title: 'Diffs, in pages',
  scope: 'memories:read',
  description: 'A page of the changes of one snapshot, and next_cursor.',
  audited: ({ id }) => [readEvent('history_read', { snapshot: id })],
  async read(observer, variables) {
    const snapshotId = snapshotIn(variables)
    return envelopeText(await observer.diffsPage({ snapshotId, ...pageIn(variables) }))
  },
}
