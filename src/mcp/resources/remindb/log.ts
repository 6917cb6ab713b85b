import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const log: MemoryResource = {
  uri: 'remindb://log{?cursor,author,operation,path}',
  name: 'log',
  title: 'Log',
  scope: 'memories:read',
  description:
    'Who changed what and when: a page of snapshots, newest first, with author, operation and checkpoints, and next_cursor.',
  audited: () => [readEvent('history_read')],
  read: async (observer, variables) => envelopeText(await observer.logPage(variables)),
}
