import { errors } from 'oidc-provider'
import type { Accounts } from '../../core/accounts/accounts.ts'
import { customerOf } from '../../http/networks.ts'
import { createAttempts } from '../signin/attempts.ts'
import { currentAddress } from './bridge.ts'

/** Because of one address. */
const MAX_A_MINUTE = 20
const MAX_A_MINUTE_FOR_ALL = 200

/** Anybody can make the server ask for a metadata document. Those of clients that a user let in do not count: they have to work. */
export function createFetchLimits({ grants }: Pick<Accounts, 'grants'>, now: () => number) {
  const forAddress = createAttempts({ max: MAX_A_MINUTE, windowMs: 60_000, now })
  const forAll = createAttempts({ max: MAX_A_MINUTE_FOR_ALL, windowMs: 60_000, now })
  return async (url: string): Promise<void> => {
    if ((await grants.list({ clientId: url })).length > 0) return
    const customer = customerOf(currentAddress())
    const seconds = forAddress.wait(customer) ?? forAll.wait('')
    if (seconds !== undefined)
      throw new errors.CustomOIDCProviderError(
        'temporarily_unavailable',
        `too many clients were asked for that are not known; try again in ${seconds} s`,
      )
    forAddress.add(customer)
    forAll.add('')
  }
}
