import { expect, test } from 'vitest'
import { filledAccounts, sha256 } from '../../../test/support/test-accounts.ts'
import { auditAfter, auditEnd } from '../../../test/support/test-audit.ts'

const DAY = 86_400_000

async function signedIn() {
  const made = await filledAccounts()
  const ada = await made.accounts.users.find('ada')
  return { ...made, ada, ...(await made.accounts.logins.create(ada.id)) }
}

test('a browser that signed in is known by its cookie for 30 days', async () => {
  const { accounts, clock, ada, cookie, login } = await signedIn()
  expect(await accounts.logins.find(cookie)).toEqual({ login, user: ada })
  expect(await accounts.logins.find(login.id)).toBeUndefined()
  expect(await accounts.logins.find('')).toBeUndefined()
  clock.now += 30 * DAY - 1
  expect(await accounts.logins.find(cookie)).toBeDefined()
  clock.now += 1
  expect(await accounts.logins.find(cookie)).toBeUndefined()
})

test('the cookie itself is not stored', async () => {
  const { cookie, login, store } = await signedIn()
  expect(login.id).toBe(sha256(cookie))
  expect(await store.read((tx) => tx.login(cookie))).toBeUndefined()
})

test('signing out ends one login, and others stay', async () => {
  const { accounts, ada, cookie } = await signedIn()
  const other = await accounts.logins.create(ada.id)
  await accounts.logins.end(cookie)
  expect(await accounts.logins.find(cookie)).toBeUndefined()
  expect(await accounts.logins.find(other.cookie)).toBeDefined()
  await accounts.logins.endAll(ada.id)
  expect(await accounts.logins.find(other.cookie)).toBeUndefined()
})

test('a disabled user is signed out, stays so when enabled again, and cannot sign in', async () => {
  const { accounts, ada, cookie } = await signedIn()
  await accounts.users.disable('ada')
  expect(await accounts.logins.find(cookie)).toBeUndefined()
  await expect(accounts.logins.create(ada.id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await accounts.users.enable('ada')
  expect(await accounts.logins.find(cookie)).toBeUndefined()
})

test.each<[what: string, end: (made: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>]>([
  ['the password is changed', ({ accounts }) => accounts.passwords.set('ada', 'another password')],
  ['the user is deleted', ({ accounts }) => accounts.users.delete('ada')],
])('logins of a user end when %s, and those of others do not', async (_what, end) => {
  const made = await signedIn()
  const bob = await made.accounts.users.find('bob')
  const { cookie } = await made.accounts.logins.create(bob.id)
  await end(made)
  expect(await made.accounts.logins.find(made.cookie)).toBeUndefined()
  expect((await made.accounts.logins.find(cookie))?.user).toEqual(bob)
})

test('nobody signs in as a user that is gone', async () => {
  const { accounts } = await signedIn()
  await expect(accounts.logins.create('gone')).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('logins that expired are removed in the end', async () => {
  const { accounts, store, clock, ada, login } = await signedIn()
  clock.now += 31 * DAY + 1
  await accounts.logins.create(ada.id)
  expect(await store.read((tx) => tx.login(login.id))).toBeUndefined()
})

test('the audit says who signed in from where', async () => {
  const { accounts, store, ada } = await signedIn()
  const end = await auditEnd(store)
  await accounts.logins.create(ada.id, '10.0.0.1')
  expect(await auditAfter(store, end)).toEqual([
    {
      ...{ event: 'login_succeeded', userId: ada.id, principalId: '', address: '10.0.0.1' },
      subject: `user ${ada.id}`,
    },
  ])
})
