import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const sessionsHistory: MemoryResource = {
  uri: 'remindb://sessions/history',
  name: 'sessions-history',
  title: 'History of sessions',
  scope: 'memories:admin',
  description: 'Every client that was ever connected: how often, for how long, and its calls.',
  read: async (observer) => envelopeText(await observer.sessionsHistory()),
}
