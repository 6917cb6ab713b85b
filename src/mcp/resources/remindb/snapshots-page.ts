import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { pageIn } from '../../model/variables.ts'

export const snapshotsPage: MemoryResource = {
  uri: 'remindb://snapshots{?cursor,limit}',
  name: 'snapshots-page',
  title: 'Snapshots, in pages',
  scope: 'memories:read',
  description: 'A page of the history, newest first, and next_cursor. The first page has cursor=start.',
  audited: () => [readEvent('history_read')],
  read: async (observer, variables) => envelopeText(await observer.snapshotsPage(pageIn(variables))),
}
