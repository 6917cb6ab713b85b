import { expect, test } from 'vitest'
import { sha256, testAccounts } from '../../../test/support/test-accounts.ts'
import { auditAfter } from '../../../test/support/test-audit.ts'

const MINUTE = 60_000
const ADMIN = { name: 'root', password: 'correct horse' }
const CLOSED = { code: 'NOT_FOUND' }

async function begun() {
  const made = testAccounts()
  return { ...made, token: (await made.accounts.setup.begin()) ?? '' }
}

test('the token makes one administrator, who can sign in', async () => {
  const { accounts, token } = await begun()
  expect(await accounts.setup.isOpen(token)).toBe(true)
  const admin = await accounts.setup.complete(token, ADMIN)
  expect(admin).toMatchObject({ name: 'root', isAdmin: true })
  expect(await accounts.passwords.check('root', ADMIN.password)).toEqual(admin)
  expect(await accounts.setup.isOpen(token)).toBe(false)
  await expect(accounts.setup.complete(token, { ...ADMIN, name: 'eve' })).rejects.toMatchObject(CLOSED)
  expect(await accounts.setup.begin()).toBeUndefined()
  expect(await accounts.users.list()).toEqual([admin])
})

test('of two who use the token at once, one becomes the administrator', async () => {
  const { accounts, token } = await begun()
  const outcomes = await Promise.allSettled(
    ['ada', 'eve'].map((name) => accounts.setup.complete(token, { ...ADMIN, name })),
  )
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await accounts.users.list()).toHaveLength(1)
})

test('another token, its hash, an expired and a replaced one are refused without hashing a password', async () => {
  const { accounts, clock, calls, token } = await begun()
  const refused = async (given: string) => {
    expect(await accounts.setup.isOpen(given)).toBe(false)
    await expect(accounts.setup.complete(given, ADMIN)).rejects.toMatchObject(CLOSED)
  }
  await refused('')
  await refused(sha256(token))
  const next = (await accounts.setup.begin()) ?? ''
  await refused(token)
  clock.now += 30 * MINUTE - 1
  expect(await accounts.setup.isOpen(next)).toBe(true)
  clock.now += 1
  await refused(next)
  expect(calls.hashes).toBe(0)
  expect(await accounts.users.list()).toEqual([])
})

test('a name or a password that is refused leaves the setup open', async () => {
  const { accounts, token } = await begun()
  await accounts.users.create({ name: 'ada' })
  const complete = (name: string, password: string) => accounts.setup.complete(token, { name, password })
  await expect(complete('No Name', ADMIN.password)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expect(complete('root', 'short')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expect(complete('ada', ADMIN.password)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await complete('root', ADMIN.password)).isAdmin).toBe(true)
})

test('users without the mark leave the setup open, and an administrator closes it', async () => {
  const { accounts, token } = await begun()
  await accounts.users.create({ name: 'ada', password: 'correct horse' })
  expect(await accounts.setup.isOpen(token)).toBe(true)
  await accounts.users.create({ name: 'root', isAdmin: true })
  expect(await accounts.setup.isOpen(token)).toBe(false)
  await accounts.users.delete('root')
  // Whoever kept the old token has nothing from that.
  expect(await accounts.setup.isOpen(token)).toBe(false)
  expect(await accounts.setup.begin()).toBeDefined()
})

test('a disabled administrator is one: nobody else becomes it through the setup', async () => {
  const { accounts } = testAccounts()
  await accounts.users.create({ name: 'root', isAdmin: true })
  await accounts.users.disable('root')
  expect(await accounts.setup.begin()).toBeUndefined()
})

test('the operator makes the first administrator without a token, and no second one', async () => {
  const { accounts, token } = await begun()
  const admin = await accounts.setup.createAdmin(ADMIN)
  expect(await accounts.passwords.check('root', ADMIN.password)).toEqual(admin)
  expect(await accounts.setup.isOpen(token)).toBe(false)
  const second = accounts.setup.createAdmin({ ...ADMIN, name: 'eve' })
  await expect(second).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('the audit says that the setup was completed', async () => {
  const { accounts, store, token } = await begun()
  const { id } = await accounts.setup.complete(token, ADMIN)
  const events = await auditAfter(store, 0)
  expect(events.map(({ event, subject }) => [event, subject])).toEqual([
    ['account_created', `user ${id}`],
    ['setup_completed', `user ${id}`],
  ])
})
