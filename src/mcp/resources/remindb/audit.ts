import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const audit: MemoryResource = {
  uri: 'remindb://audit',
  name: 'audit',
  title: 'Audit',
  scope: 'memories:admin',
  description: 'Who did what to which key or node, when and from where: the newest entries, and next_cursor.',
  read: async (observer) => envelopeText(await observer.auditPage({})),
}
