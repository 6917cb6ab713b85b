import { expect, test } from 'vitest'
import { filledAccounts } from '../../../test/support/test-accounts.ts'
import type { Scope } from '../access/scopes.ts'

const READ: readonly Scope[] = ['memories:read']
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Accounts, and what shows which keys there are after the next one was made. */
async function accountsWithKeys() {
  const filled = await filledAccounts()
  const { keys } = filled.accounts
  const make = async (expiresAt: number | null = null) =>
    (await keys.create({ user: 'ada', space: 'red', scopes: READ, expiresAt })).id
  return { ...filled, keys, make, ids: async () => (await keys.list()).map(({ id }) => id) }
}

test('a key is removed 30 days after it was revoked or expired, when another is made', async () => {
  const { keys, clock, id, make, ids } = await accountsWithKeys()
  const [revoked, expiring, both] = [await make(), await make(clock.now + DAY), await make(clock.now + DAY)]
  await keys.revoke(revoked)
  clock.now += 20 * DAY
  await keys.revoke(both)
  clock.now += 10 * DAY
  const third = await make()
  expect(await ids()).toEqual([id, revoked, expiring, both, third])
  clock.now += HOUR
  const fourth = await make()
  expect(await ids()).toEqual([id, expiring, both, third, fourth])
  clock.now += DAY
  const fifth = await make()
  expect(await ids()).toEqual([id, third, fourth, fifth])
})

test('they are looked for once an hour', async () => {
  const { keys, clock, make, ids } = await accountsWithKeys()
  const revoked = await make()
  await keys.revoke(revoked)
  clock.now += 30 * DAY
  await make()
  clock.now += 1
  await make()
  expect(await ids()).toContain(revoked)
  clock.now += HOUR
  await make()
  expect(await ids()).not.toContain(revoked)
})

test('a key goes with those below it, and stays while one below it is younger', async () => {
  const { keys, store, clock, id, make, ids } = await accountsWithKeys()
  const parent = await make()
  const { id: child } = await keys.createChild(parent, { scopes: READ })
  const { id: grandchild } = await keys.createChild(child, { scopes: READ })
  await keys.revoke(parent)
  await store.write(async (tx) => {
    const row = await tx.key(grandchild)
    if (row) await tx.putKey({ ...row, revokedAt: clock.now + DAY })
  })
  clock.now += 30 * DAY + 1
  const next = await make()
  expect(await ids()).toEqual([id, parent, child, grandchild, next])
  clock.now += DAY
  const last = await make()
  expect(await ids()).toEqual([id, next, last])
})

test('a key that works is kept, however old it is and whatever became of its user and space', async () => {
  const { accounts, clock, id, key, make } = await accountsWithKeys()
  await accounts.users.create({ name: 'eve' })
  await accounts.keys.create({ user: 'eve', space: 'blue', scopes: READ })
  await accounts.users.disable('ada')
  await accounts.spaces.archive('red')
  clock.now += 400 * DAY
  await make()
  await accounts.users.enable('ada')
  await accounts.spaces.unarchive('red')
  expect(await accounts.authenticate(key)).toMatchObject({ kind: 'ok', principal: { id } })
})

test('the holder of a key is shown those that were made with it, and no others', async () => {
  const { keys, id, make } = await accountsWithKeys()
  const other = await make()
  const first = await keys.createChild(id, { scopes: READ, label: 'laptop' })
  const second = await keys.createChild(id, { scopes: READ })
  await keys.createChild(first.id, { scopes: READ })
  await keys.createChild(other, { scopes: READ })
  const made = await keys.listMadeBy(id)
  expect(made.map((key) => key.id)).toEqual([first.id, second.id])
  expect(made[0]).toMatchObject({ parentId: id, label: 'laptop', scopes: READ })
  for (const key of made) expect(Object.keys(key)).not.toContain('hash')
})
