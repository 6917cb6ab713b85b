import { createHash, randomBytes } from 'node:crypto'
import { createAccounts } from '../../src/core/accounts/accounts.ts'
import type { AccountStore } from '../../src/core/accounts/port.ts'
import { openAccountsInMemory } from '../../src/store/memory/accounts.ts'

export const START = Date.UTC(2026, 0, 1)

/** Accounts in memory with a clock that a test moves, and counters of what was asked of the store. */
export function testAccounts() {
  const clock = { now: START }
  const calls = { reads: 0, writes: 0, hashes: 0 }
  const engine = openAccountsInMemory()
  const store: AccountStore = {
    ...engine,
    read(fn) {
      calls.reads++
      return engine.read(fn)
    },
    write(fn) {
      calls.writes++
      return engine.write(fn)
    },
  }
  const accounts = createAccounts({
    store,
    now: () => clock.now,
    randomBytes,
    sha256,
    scrypt(password, salt) {
      calls.hashes++
      return quickHash(password, salt)
    },
  })
  return { accounts, store, clock, calls }
}

/** In place of scrypt, which is slow on purpose. */
export async function quickHash(password: string, salt: Uint8Array): Promise<Uint8Array> {
  return createHash('sha256').update(salt).update(password).digest()
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Ada and Bob, the spaces red and blue, and a key of Ada's for reading and writing red. */
export async function filledAccounts() {
  const made = testAccounts()
  const { accounts } = made
  for (const name of ['ada', 'bob']) await accounts.users.create({ name })
  for (const name of ['red', 'blue']) await accounts.spaces.create(name)
  const scopes = ['memories:read', 'memories:write'] as const
  const { id, key } = await accounts.keys.create({ user: 'ada', space: 'red', scopes })
  return { ...made, id, key, hash: sha256(key) }
}
