import { expect, test } from 'vitest'
import { filledAccounts, START, testAccounts } from '../../../test/support/test-accounts.ts'
import type { Scope } from '../access/scopes.ts'

const READ: readonly Scope[] = ['memories:read']
const DAY = 24 * 3_600_000

test.each(['ada', '0', 'a.b_c-d', 'x'.repeat(63)])('%j can be the name of a user', async (name) => {
  const { accounts } = testAccounts()
  expect(await accounts.users.create({ name })).toMatchObject({ name, isAdmin: false, disabledAt: null })
})

test.each(['', 'Ada', '.a', '-a', 'a b', 'a/b', 'é', 'a\n', 'x'.repeat(64)])(
  '%j cannot be the name of a user',
  async (name) => {
    const { accounts } = testAccounts()
    await expect(accounts.users.create({ name })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  },
)

test.each(['', 'Red', 'a.b', 'a_b', '-a', '..', 'a/b', 'a\n', 'x'.repeat(64)])(
  '%j cannot be the name of a space, neither a new nor a changed one',
  async (name) => {
    const { accounts } = await filledAccounts()
    await expect(accounts.spaces.create(name)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(accounts.spaces.rename('red', name)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  },
)

test('a name that is taken is a CONFLICT that names it', async () => {
  const { accounts } = await filledAccounts()
  const taken = (name: string) => ({ code: 'CONFLICT', message: expect.stringContaining(name) })
  await expect(accounts.users.create({ name: 'ada' })).rejects.toMatchObject(taken('"ada"'))
  await expect(accounts.spaces.create('red')).rejects.toMatchObject(taken('"red"'))
  await expect(accounts.spaces.rename('blue', 'red')).rejects.toMatchObject(taken('"red"'))
})

test('a missing user, space or key is NOT_FOUND everywhere', async () => {
  const { accounts } = await filledAccounts()
  const { users, spaces, members, keys } = accounts
  const calls: Promise<unknown>[] = [
    users.disable('eve'),
    users.enable('eve'),
    users.delete('eve'),
    spaces.rename('green', 'lime'),
    spaces.archive('green'),
    spaces.unarchive('green'),
    spaces.delete('green'),
    members.add({ user: 'eve', space: 'red', role: 'reader' }),
    members.add({ user: 'ada', space: 'green', role: 'reader' }),
    members.remove({ user: 'bob', space: 'red' }),
    members.list({ space: 'green' }),
    keys.create({ user: 'eve', space: 'red', scopes: READ }),
    keys.create({ user: 'ada', space: 'green', scopes: READ }),
    keys.createChild('nothing', { scopes: READ }),
    keys.revoke('nothing'),
    keys.rotate('nothing'),
    keys.list({ user: 'eve' }),
    keys.list({ space: 'green' }),
  ]
  // At once: a rejection that nobody waits for yet would be reported as unhandled.
  for (const settled of await Promise.allSettled(calls))
    expect(settled).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } })
  expect(await spaces.find('green')).toBeUndefined()
})

test('disabling and archiving again keeps the first time', async () => {
  const { accounts, clock } = await filledAccounts()
  const first = clock.now
  await accounts.users.disable('ada')
  await accounts.spaces.archive('red')
  clock.now += DAY
  expect((await accounts.users.disable('ada')).disabledAt).toBe(first)
  expect((await accounts.spaces.archive('red')).archivedAt).toBe(first)
})

test.each<[readonly Scope[], string]>([
  [READ, 'reader'],
  [['memories:write'], 'writer'],
  [['memories:read', 'memories:admin'], 'admin'],
])('a key for %j makes its user a member with the smallest role: %s', async (scopes, role) => {
  const { accounts } = await filledAccounts()
  await accounts.keys.create({ user: 'bob', space: 'blue', scopes })
  expect(await accounts.members.list({ space: 'blue' })).toMatchObject([{ user: 'bob', role }])
})

test('a key never lowers a role, and raises one that does not cover it', async () => {
  const { accounts } = await filledAccounts()
  const roleAfter = async (scopes: readonly Scope[]) => {
    await accounts.keys.create({ user: 'bob', space: 'blue', scopes })
    return (await accounts.members.list({ space: 'blue' }))[0]?.role
  }
  await accounts.members.add({ user: 'bob', space: 'blue', role: 'owner' })
  expect(await roleAfter(READ)).toBe('owner')
  expect(await roleAfter(['memories:admin'])).toBe('owner')
  await accounts.members.add({ user: 'bob', space: 'blue', role: 'reader' })
  expect(await roleAfter(READ)).toBe('reader')
  expect(await roleAfter(['memories:write'])).toBe('writer')
})

test('a listed key shows neither the key nor its hash', async () => {
  const { accounts, key, id } = await filledAccounts()
  await accounts.keys.rotate(id, { graceMs: DAY })
  const listed = await accounts.keys.list()
  expect(listed).toMatchObject([{ id, user: 'ada', space: 'red', revokedAt: null, parentId: null }])
  expect(Object.keys(listed[0] ?? {})).not.toContain('hash')
  expect(Object.keys(listed[0] ?? {})).not.toContain('previous')
  expect(JSON.stringify(listed)).not.toContain(key.slice(20, 40))
})

test('keys are listed by user and by space', async () => {
  const { accounts, id } = await filledAccounts()
  const bobs = await accounts.keys.create({ user: 'bob', space: 'red', scopes: READ })
  const blues = await accounts.keys.create({ user: 'ada', space: 'blue', scopes: READ })
  const ids = async (of: Parameters<typeof accounts.keys.list>[0]) =>
    (await accounts.keys.list(of)).map((key) => key.id)
  expect(await ids({})).toEqual([id, bobs.id, blues.id])
  expect(await ids({ user: 'ada' })).toEqual([id, blues.id])
  expect(await ids({ space: 'red' })).toEqual([id, bobs.id])
  expect(await ids({ user: 'ada', space: 'red' })).toEqual([id])
})

test.each<[string, object]>([
  ['no scope', { scopes: [] }],
  ['an unknown scope', { scopes: ['memories:everything'] }],
  ['an end in the past', { scopes: READ, expiresAt: 1 }],
  ['an invalid expiry time', { scopes: READ, expiresAt: Number.NaN }],
  ['a life of more than 100 years', { scopes: READ, expiresAt: START + 36_525 * DAY + 1 }],
  ['an end that no date has', { scopes: READ, expiresAt: 9e15 }],
  ['a label of two lines', { scopes: READ, label: 'a\nb' }],
  ['a long label', { scopes: READ, label: 'x'.repeat(101) }],
])('a key with %s is refused, and its user does not become a member', async (_name, grant) => {
  const { accounts } = await filledAccounts()
  const made = accounts.keys.create({ user: 'bob', space: 'blue', scopes: READ, ...grant })
  await expect(made).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await accounts.members.list({ space: 'blue' })).toEqual([])
})

test('a key may live for 100 years', async () => {
  const { accounts, clock } = await filledAccounts()
  const expiresAt = clock.now + 36_525 * DAY
  const { id } = await accounts.keys.create({ user: 'bob', space: 'blue', scopes: READ, expiresAt })
  expect((await accounts.keys.list({ user: 'bob' }))[0]).toMatchObject({ id, expiresAt })
})

test('a stored end that no date has is listed as the last date', async () => {
  const { accounts, store, id } = await filledAccounts()
  await store.write(async (tx) => {
    const key = await tx.key(id)
    if (key) await tx.putKey({ ...key, expiresAt: 9e15 })
  })
  const [listed] = await accounts.keys.list()
  expect(new Date(listed?.expiresAt ?? Number.NaN).toISOString()).toBe('+275760-09-13T00:00:00.000Z')
})

test.each([-1, 0.5, Number.NaN, 365 * DAY + 1, 9e15])(
  'the old secret of a rotated key cannot work for %d ms, and stays',
  async (graceMs) => {
    const { accounts, id, key } = await filledAccounts()
    await expect(accounts.keys.rotate(id, { graceMs })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect((await accounts.authenticate(key)).kind).toBe('ok')
  },
)

test('the old secret of a rotated key may work for a year', async () => {
  const { accounts, id, key } = await filledAccounts()
  await accounts.keys.rotate(id, { graceMs: 365 * DAY })
  expect((await accounts.authenticate(key)).kind).toBe('ok')
})

test('the last owner may leave, and the operator can add another', async () => {
  const { accounts } = await filledAccounts()
  await accounts.members.add({ user: 'bob', space: 'blue', role: 'owner' })
  await accounts.members.remove({ user: 'bob', space: 'blue' })
  expect(await accounts.members.list({ space: 'blue' })).toEqual([])
  await accounts.members.add({ user: 'ada', space: 'blue', role: 'owner' })
  expect(await accounts.members.list({ space: 'blue' })).toMatchObject([{ user: 'ada', role: 'owner' }])
})

test('an unknown role is refused', async () => {
  const { accounts } = await filledAccounts()
  const added = accounts.members.add({ user: 'bob', space: 'blue', role: 'toString' as never })
  await expect(added).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})
