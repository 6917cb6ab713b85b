import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const rescan: MemoryResource = {
  uri: 'remindb://rescan',
  name: 'rescan',
  title: 'Rescan',
  scope: 'memories:admin',
  description: 'What the last scan of the source found and changed.',
  read: async (observer) => envelopeText(await observer.rescan()),
}
