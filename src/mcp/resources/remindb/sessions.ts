import { envelopeText } from '../../../core/envelope-text.ts'
import type { Resource } from '../resource.ts'

export const sessions: Resource = {
  uri: 'remindb://sessions',
  name: 'sessions',
  title: 'Sessions',
  description: 'The clients that are connected to this server now.',
  read: async (observer) => envelopeText(await observer.sessions()),
}
