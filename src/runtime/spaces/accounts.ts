import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Accounts, createAccounts } from '../../core/accounts/accounts.ts'
import type { AccountDeps } from '../../core/accounts/deps.ts'
import type { AccountStore } from '../../core/accounts/port.ts'
import { MemoryError } from '../../core/errors.ts'
import { openSqliteAccounts } from '../../store/sqlite/accounts/engine.ts'
import { sha256 } from '../../util/text/sha256.ts'
import { setIdleTimer } from '../timing/timer.ts'
import { createAuditKeeper } from '../upkeep/audit-keeper.ts'
import { refuseInterrupted } from './interrupted.ts'
import { createScrypt } from './scrypt.ts'

export interface OpenAccountsOptions {
  /** Default: a folder without accounts is refused, so that a typing error creates nothing. */
  create?: boolean
  /** How long a change may wait for another process that makes one. */
  lockWaitMs?: number
  now?: () => number
  /** How long the audit of accounts is kept. Default: nothing is removed. */
  retentionMs?: number
  onError?: (error: unknown) => void
  /** Default: on other threads, a few at once. */
  scrypt?: NonNullable<AccountDeps['scrypt']>
}

/** Uses of keys are gathered for so long before they are stored: each time, the disk is waited for. */
const GATHER_MS = 500

/** The accounts of a folder of spaces. */
export function accountsFile(dir: string): string {
  return join(dir, 'auth.db')
}

/** Opens the accounts of a folder of spaces. Any number of processes may have them open. */
export async function openAccounts(dir: string, options: OpenAccountsOptions = {}): Promise<Accounts> {
  const { create = false, lockWaitMs, now = Date.now, retentionMs, onError = () => undefined } = options
  const { scrypt = createScrypt() } = options
  refuseInterrupted(dir)
  if (!create && !existsSync(accountsFile(dir))) throw noSpaces(dir)
  if (create) mkdirSync(dir, { recursive: true, mode: 0o700 })
  const store = openSqliteAccounts({
    file: accountsFile(dir),
    create,
    ...(lockWaitMs === undefined ? {} : { lockWaitMs }),
  })
  const keeping: AccountStore = {
    ...store,
    async write(fn) {
      const result = await store.write(fn)
      keeper.changed()
      return result
    },
    async close() {
      await keeper.close()
      await store.close()
    },
  }
  const soon = (work: () => void): void => void setIdleTimer(work, GATHER_MS)
  const accounts = createAccounts({ store: keeping, now, randomBytes, sha256, soon, scrypt })
  const keeper = createAuditKeeper({ folder: dir, ...accounts.audit, retentionMs, now, onError })
  return accounts
}

function noSpaces(dir: string): MemoryError {
  return new MemoryError(
    'NOT_FOUND',
    `${dir} is not a folder of spaces; create one with \`remindb spaces create NAME --spaces ${dir}\`, or check --spaces`,
  )
}
