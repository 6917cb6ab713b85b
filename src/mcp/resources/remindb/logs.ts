import { envelopeText } from '../../../core/envelope-text.ts'
import type { Resource } from '../resource.ts'

export const logs: Resource = {
  uri: 'remindb://logs',
  name: 'logs',
  title: 'Logs',
  description: 'The latest records of the server log, oldest first, and how many older ones were dropped.',
  read: async (observer) => envelopeText(observer.logs()),
}
