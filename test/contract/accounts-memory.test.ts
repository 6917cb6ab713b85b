import { describe } from 'vitest'
import { openAccountsInMemory } from '../../src/store/memory/accounts.ts'
import { accountsContract } from './accounts.ts'

describe('An engine in memory keeps the contract of accounts', () =>
  accountsContract(async () => ({ store: openAccountsInMemory(), reopen: undefined })))
