import { customerOf } from '../../http/networks.ts'
import { createAttempts } from './attempts.ts'

const WINDOW_MS = 15 * 60_000
/** Of one account, from one address: the password of the account itself, tried by somebody. */
const MAX_FOR_ACCOUNT = 10
/** Of one account, from anywhere. Higher: whoever knows a name can keep its user from signing in. */
const MAX_FOR_NAME = 100
/** From one address: many accounts, tried by somebody. */
const MAX_FOR_ADDRESS = 50
/** From one address, at the same time: whoever has a password must not keep others waiting with it. */
const MAX_AT_ONCE = 4
/** No user has a longer name; what is beyond is not remembered. */
const MAX_NAME = 64

/** What became of a password: `unchecked` was not looked at. */
export type Outcome = 'right' | 'wrong' | 'unchecked'

/** How often passwords can be guessed. An attempt counts from its beginning: many at once are as many as one after another. */
export function createLoginLimits(now: () => number) {
  const limit = (max: number) => createAttempts({ max, windowMs: WINDOW_MS, now })
  const forAccount = limit(MAX_FOR_ACCOUNT)
  const forName = limit(MAX_FOR_NAME)
  const forAddress = limit(MAX_FOR_ADDRESS)
  const atOnce = new Map<string, number>()

  /** Seconds to wait, or how to end the attempt that begins now. */
  return (name: string, address: string): { retryAfter: number } | { end(outcome: Outcome): void } => {
    const customer = customerOf(address)
    const user = name.slice(0, MAX_NAME)
    const counters = [
      { attempts: forAccount, key: `${user} ${customer}` },
      { attempts: forName, key: user },
      { attempts: forAddress, key: customer },
    ]
    const waits = counters.map(({ attempts, key }) => attempts.wait(key) ?? 0)
    const running = atOnce.get(customer) ?? 0
    const retryAfter = Math.max(...waits, running < MAX_AT_ONCE ? 0 : 1)
    if (retryAfter > 0) return { retryAfter }
    for (const { attempts, key } of counters) attempts.add(key)
    atOnce.set(customer, running + 1)
    return {
      end(outcome) {
        const left = (atOnce.get(customer) ?? 1) - 1
        if (left > 0) atOnce.set(customer, left)
        else atOnce.delete(customer)
        if (outcome === 'wrong') return
        for (const { attempts, key } of counters) attempts.giveBack(key)
        if (outcome === 'right') forAccount.clear(`${user} ${customer}`)
      },
    }
  }
}
