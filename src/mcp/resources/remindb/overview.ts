import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const overview: MemoryResource = {
  uri: 'remindb://overview',
  name: 'overview',
  title: 'Overview',
  scope: 'memories:read',
  description: 'Counts of nodes, tokens, snapshots and relations, and how warm the memory is.',
  read: async (observer) => envelopeText(await observer.overview()),
}
