import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const files: MemoryResource = {
  uri: 'remindb://files',
  name: 'files',
  title: 'Files',
  scope: 'memories:read',
  description:
    'The compiled files by compile root, with their nodes and tokens. Documents written by agents come last, under the root "".',
  audited: () => [readEvent('memory_listed')],
  read: async (observer) => envelopeText(await observer.files()),
}
