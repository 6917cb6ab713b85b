import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { filledAccounts, quickHash, START, sha256 } from '../../../test/support/test-accounts.ts'
import { auditAfter, auditEnd } from '../../../test/support/test-audit.ts'
import { type Accounts, createAccounts } from './accounts.ts'

const PASSWORD = 'correct horse battery'

test('a user signs in with the password that was set last', async () => {
  const { accounts, store } = await filledAccounts()
  const ada = await accounts.passwords.set('ada', PASSWORD)
  expect(await accounts.passwords.check('ada', PASSWORD)).toEqual(ada)
  expect(await accounts.passwords.check('ada', `${PASSWORD} `)).toBeUndefined()
  expect(await accounts.passwords.check('bob', PASSWORD)).toBeUndefined()
  await accounts.passwords.set('ada', 'another password')
  expect(await accounts.passwords.check('ada', PASSWORD)).toBeUndefined()
  expect(await accounts.passwords.check('ada', 'another password')).toEqual(ada)
  const stored = await store.read((tx) => tx.password(ada.id))
  expect(stored?.hash).toMatch(/^scrypt\$65536\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
})

test('two users with the same password have different hashes', async () => {
  const { accounts, store } = await filledAccounts()
  const users = await Promise.all(['ada', 'bob'].map((name) => accounts.passwords.set(name, PASSWORD)))
  const hashes = await store.read((tx) => Promise.all(users.map(({ id }) => tx.password(id))))
  expect(hashes[0]?.hash).not.toBe(hashes[1]?.hash)
})

test('the same text with other code points is the same password', async () => {
  const { accounts } = await filledAccounts()
  await accounts.passwords.set('ada', 'müllerstraße'.normalize('NFD'))
  expect(await accounts.passwords.check('ada', 'müllerstraße'.normalize('NFC'))).toBeDefined()
})

test.each<[what: string, password: string, message: string]>([
  ['nine characters', '123456789', 'at least 10 characters'],
  ['nine characters of two code units', '🙂'.repeat(9), 'at least 10 characters'],
  ['1,025 bytes', `${'é'.repeat(512)}x`, 'at most 1024 bytes'],
])('a password of %s is refused', async (_what, password, message) => {
  const { accounts } = await filledAccounts()
  await expect(accounts.passwords.set('ada', password)).rejects.toThrow(message)
  await expect(accounts.users.create({ name: 'eve', password })).rejects.toThrow(message)
  expect((await accounts.users.list()).map(({ name }) => name)).toEqual(['ada', 'bob'])
})

test.each(['🙂'.repeat(10), 'é'.repeat(512), ' '.repeat(10)])(
  'the password %j is accepted',
  async (password) => {
    const { accounts } = await filledAccounts()
    await accounts.passwords.set('ada', password)
    expect(await accounts.passwords.check('ada', password)).toBeDefined()
  },
)

test('a user that is unknown, disabled or without a password costs as many hashes as a wrong password', async () => {
  const { accounts, calls } = await filledAccounts()
  await accounts.users.create({ name: 'eve', password: PASSWORD })
  await accounts.users.create({ name: 'dan', password: PASSWORD })
  await accounts.users.disable('dan')
  const hashes: number[] = []
  for (const name of ['eve', 'nobody', 'dan', 'ada']) {
    const before = calls.hashes
    expect(await accounts.passwords.check(name, 'wrong password')).toBeUndefined()
    hashes.push(calls.hashes - before)
  }
  expect(hashes).toEqual([1, 1, 1, 1])
  expect(await accounts.passwords.check('dan', PASSWORD)).toBeUndefined()
})

test.each<[what: string, change: (accounts: Accounts) => Promise<unknown>]>([
  ['whose password is replaced', ({ passwords }) => passwords.set('ada', 'another password')],
  ['who is disabled', ({ users }) => users.disable('ada')],
  ['who is deleted', ({ users }) => users.delete('ada')],
])('a user %s while the password is checked does not sign in', async (_what, change) => {
  const { accounts, store } = await filledAccounts()
  await accounts.passwords.set('ada', PASSWORD)
  const { passwords } = createAccounts({
    ...{ store, now: () => START, randomBytes, sha256 },
    async scrypt(password, salt) {
      await change(accounts)
      return quickHash(password, salt)
    },
  })
  expect(await passwords.check('ada', PASSWORD)).toBeUndefined()
})

test('a generated password can be set, and is never the same', async () => {
  const { accounts } = await filledAccounts()
  const password = accounts.passwords.generate()
  await accounts.passwords.set('ada', password)
  expect(await accounts.passwords.check('ada', password)).toBeDefined()
  expect(accounts.passwords.generate()).not.toBe(password)
})

test('the audit has failures of known users only, and no password', async () => {
  const { accounts, store } = await filledAccounts()
  const end = await auditEnd(store)
  const { id } = await accounts.passwords.set('ada', PASSWORD)
  await accounts.passwords.check('ada', 'wrong password', '10.0.0.1')
  await accounts.passwords.check('nobody', 'wrong password', '10.0.0.1')
  await accounts.passwords.check('ada', PASSWORD, '10.0.0.1')
  const subject = `user ${id}`
  expect(await auditAfter(store, end)).toEqual([
    { event: 'password_set', userId: '', principalId: '', address: '', subject },
    { event: 'login_failed', userId: id, principalId: '', address: '10.0.0.1', subject },
  ])
})
