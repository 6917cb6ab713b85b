import { envelopeText } from '../../../core/envelope-text.ts'
import type { ServerResource } from '../../model/resource.ts'

export const logs: ServerResource = {
  uri: 'remindb://logs',
  name: 'logs',
  title: 'Logs',
  scope: 'memories:admin',
  description: 'The latest records of the server log, oldest first, and how many older ones were dropped.',
  isOfServer: true,
  read: async (server) => envelopeText(server.logs()),
}
