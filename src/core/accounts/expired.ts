import { DAY_MS, HOUR_MS } from '../../util/text/duration.ts'
import type { AccountDeps } from './deps.ts'
import type { AccountTx } from './port.ts'

/** So long the holder of a token can be told that it expired. */
const KEPT_MS = DAY_MS

export type Expired = ReturnType<typeof createExpired>

/** Removes records, logins and secrets that expired, at most once an hour. */
export function createExpired({ now }: Pick<AccountDeps, 'now'>) {
  let removedAt = Number.NEGATIVE_INFINITY
  return {
    async remove(tx: AccountTx): Promise<void> {
      if (now() - removedAt < HOUR_MS) return
      removedAt = now()
      await tx.removeExpired(now() - KEPT_MS)
    },
  }
}
