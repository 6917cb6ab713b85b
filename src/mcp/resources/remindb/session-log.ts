import { envelopeText } from '../../../core/envelope-text.ts'
import { MemoryError } from '../../../core/errors.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { short } from '../../model/uri.ts'
import { required } from '../../model/variables.ts'

export const sessionLog: MemoryResource = {
  uri: 'remindb://sessions/logs/{id}',
  name: 'session-log',
  title: 'Log of a session',
  scope: 'memories:admin',
  description: 'The log of one session, oldest first.',
  async read(observer, variables) {
    const id = required(variables, 'id', 'sessions log uri missing session id')
    const log = await observer.findSessionLog(id)
    if (!log)
      throw new MemoryError('NOT_FOUND', `unknown session "${short(id)}"; see remindb://sessions/logs`)
    return envelopeText(log)
  },
}
