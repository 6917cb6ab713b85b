import { join } from 'node:path'
import { describe } from 'vitest'
import { openSqliteAccounts } from '../../src/store/sqlite/accounts/engine.ts'
import { temporaryFolder } from '../support/store-files.ts'
import { accountsContract } from './accounts.ts'

describe('SQLite keeps the contract of accounts', () =>
  accountsContract(async () => {
    const file = join(temporaryFolder(), 'auth.db')
    return {
      store: openSqliteAccounts({ file, create: true }),
      reopen: async () => openSqliteAccounts({ file }),
    }
  }))
