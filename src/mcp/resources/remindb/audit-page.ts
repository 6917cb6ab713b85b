import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { pageIn } from '../../model/variables.ts'

export const auditPage: MemoryResource = {
  uri: 'remindb://audit{?cursor,limit}',
  name: 'audit-page',
  title: 'Audit, in pages',
  scope: 'memories:admin',
  description: 'A page of the audit, newest first, and next_cursor. The first page has cursor=start.',
  read: async (observer, variables) => envelopeText(await observer.auditPage(pageIn(variables))),
}
