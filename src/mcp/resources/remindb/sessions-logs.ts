import { envelopeText } from '../../../core/envelope-text.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const sessionsLogs: MemoryResource = {
  uri: 'remindb://sessions/logs',
  name: 'sessions-logs',
  title: 'Logs of sessions',
  scope: 'memories:admin',
  description: 'Which sessions have a log file, and how large it is.',
  read: async (observer) => envelopeText(await observer.sessionsLogs()),
}
