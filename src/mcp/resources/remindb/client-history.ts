import { envelopeText } from '../../../core/envelope-text.ts'
import { MemoryError } from '../../../core/errors.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { short } from '../../model/uri.ts'
import { required } from '../../model/variables.ts'

export const clientHistory: MemoryResource = {
  uri: 'remindb://sessions/history/{hash}',
  name: 'client-history',
  title: 'History of a client',
  scope: 'memories:admin',
  description: 'One client of the history of sessions, by its hash.',
  async read(observer, variables) {
    const hash = required(variables, 'hash', 'sessions history uri missing client hash')
    const client = await observer.findClientHistory(hash)
    if (!client)
      throw new MemoryError('NOT_FOUND', `unknown client "${short(hash)}"; see remindb://sessions/history`)
    return envelopeText(client)
  },
}
