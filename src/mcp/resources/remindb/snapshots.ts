import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const snapshots: MemoryResource = {
  uri: 'remindb://snapshots',
  name: 'snapshots',
  title: 'Snapshots',
  scope: 'memories:read',
  description: 'The history of the memory: every snapshot, newest first.',
  audited: () => [readEvent('history_read')],
  read: async (observer) =>
    envelopeText(await observer.snapshots(), { paged: 'remindb://snapshots?cursor=start' }),
}
