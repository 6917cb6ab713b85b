import { envelopeText } from '../../../core/envelope-text.ts'
import type { ServerResource } from '../../model/resource.ts'

export const sessions: ServerResource = {
  uri: 'remindb://sessions',
  name: 'sessions',
  title: 'Sessions',
  scope: 'memories:admin',
  description: 'The clients that are connected to this server now.',
  isOfServer: true,
  read: async (server) => envelopeText(await server.sessions()),
}
