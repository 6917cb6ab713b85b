import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { pageIn } from '../../model/variables.ts'

export const temperaturePage: MemoryResource = {
  uri: 'remindb://temperature{?cursor,limit}',
  name: 'temperature-page',
  title: 'Temperature, in pages',
  scope: 'memories:read',
  description: 'A page of nodes with their heat, and next_cursor; the summary is on the first page.',
  audited: () => [readEvent('memory_listed')],
  read: async (observer, variables) => envelopeText(await observer.temperaturePage(pageIn(variables))),
}
