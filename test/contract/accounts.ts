import { describe, onTestFinished } from 'vitest'
import type { AccountStore } from '../../src/core/accounts/port.ts'
import { accountAuditContract } from './accounts-audit.ts'
import { accountOAuthContract } from './accounts-oauth.ts'
import { accountRowContract } from './accounts-rows.ts'
import { accountTransactionContract } from './accounts-transactions.ts'

export interface AccountsPlace {
  /** Opens the same accounts again, as another process would; undefined where only one can have them. */
  reopen: (() => Promise<AccountStore>) | undefined
  store: AccountStore
}

/** Opens empty accounts in a place of their own, closed again when the test ends. */
export type OpenAccounts = () => Promise<AccountsPlace>

/** What every engine behind the port of accounts must do. */
export function accountsContract(openPlace: () => Promise<AccountsPlace>): void {
  const open: OpenAccounts = async () => {
    const { store, reopen } = await openPlace()
    onTestFinished(() => store.close())
    return {
      store,
      reopen:
        reopen &&
        (async () => {
          const another = await reopen()
          onTestFinished(() => another.close())
          return another
        }),
    }
  }
  describe('rows', () => accountRowContract(open))
  describe('signing in and OAuth', () => accountOAuthContract(open))
  describe('audit', () => accountAuditContract(open))
  describe('transactions', () => accountTransactionContract(open))
}
