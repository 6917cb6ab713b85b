import { recordAccount } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { stoppedAt } from './live.ts'
import type { AccountTx } from './port.ts'

const HOUR_MS = 3_600_000
/** So long can be seen that a key was there, and since when it does not work. */
const KEPT_MS = 30 * 24 * HOUR_MS

/** Removes keys that stopped working long ago. Looks through all of them, so at most once an hour. */
export function createOldKeys(deps: Pick<AccountDeps, 'now' | 'sha256'>) {
  const { now } = deps
  const record = recordAccount(deps)
  let lookedAt = Number.NEGATIVE_INFINITY
  return {
    async remove(tx: AccountTx): Promise<void> {
      if (now() - lookedAt < HOUR_MS) return
      lookedAt = now()
      const old = (await tx.keys()).filter((key) => stoppedAt(key) < now() - KEPT_MS)
      // Keys are made after the one above them: the last are the lowest.
      for (const { id } of old.toReversed()) {
        if ((await tx.keys({ parentId: id })).length > 0) continue
        await tx.removeKey(id)
        await record(tx, 'key_removed', { kind: 'key', id })
      }
    },
  }
}
