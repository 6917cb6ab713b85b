import { expect, test } from 'vitest'
import { filledAccounts, sha256, testAccounts } from '../../../test/support/test-accounts.ts'
import { createToken } from './token.ts'

const HOUR = 3_600_000
const READ_WRITE = ['memories:read', 'memories:write'] as const

test('a key identifies its holder and the space', async () => {
  const { accounts, id, key, hash } = await filledAccounts()
  const [ada] = await accounts.users.list()
  const red = await accounts.spaces.find('red')
  const principal = {
    id,
    rootId: id,
    author: `ada/${id}`,
    userId: ada?.id,
    user: 'ada',
    limits: {},
    spaceId: red?.id,
    space: 'red',
    scopes: READ_WRITE,
    until: null,
  }
  expect(await accounts.authenticate(key)).toEqual({ kind: 'ok', principal, hash })
  expect(await accounts.current(id, hash)).toEqual(principal)
})

test('a text that cannot be a key is malformed, without a query to the store', async () => {
  const { accounts, key, calls } = await filledAccounts()
  const before = { ...calls }
  for (const token of ['', 'x', 'Bearer', key.slice(1), `${key}x`, key.toUpperCase()])
    expect(await accounts.authenticate(token)).toEqual({ kind: 'malformed' })
  expect(calls).toEqual(before)
})

test('a key that was never made, and another secret for one that was, are unknown', async () => {
  const { accounts, id } = await filledAccounts()
  const bytes = (count: number) => new Uint8Array(count).fill(1)
  expect(await accounts.authenticate(createToken('aaaaaaaa', bytes))).toEqual({ kind: 'unknown' })
  expect(await accounts.authenticate(createToken(id, bytes))).toEqual({ kind: 'unknown' })
  await accounts.keys.revoke(id)
  expect(await accounts.authenticate(createToken(id, bytes))).toEqual({ kind: 'unknown' })
})

test('one read answers', async () => {
  const { accounts, key, calls } = await filledAccounts()
  const before = calls.reads
  await accounts.authenticate(key)
  expect(calls.reads).toBe(before + 1)
})

type Filled = Awaited<ReturnType<typeof filledAccounts>>

/** The ways a key ends, each with the way to make it work again, if any. */
const ENDS: Record<string, [(given: Filled) => unknown, ((given: Filled) => unknown)?]> = {
  'its user is disabled': [
    ({ accounts }) => accounts.users.disable('ada'),
    ({ accounts }) => accounts.users.enable('ada'),
  ],
  'its space is archived': [
    ({ accounts }) => accounts.spaces.archive('red'),
    ({ accounts }) => accounts.spaces.unarchive('red'),
  ],
  'its user leaves the space': [({ accounts }) => accounts.members.remove({ user: 'ada', space: 'red' })],
  'it is revoked': [({ accounts, id }) => accounts.keys.revoke(id)],
  'it is rotated': [({ accounts, id }) => accounts.keys.rotate(id)],
}

test.each(Object.entries(ENDS))('a key no longer works when %s', async (_name, [end, undo]) => {
  const given = await filledAccounts()
  const { accounts, key, id, hash } = given
  expect(await accounts.current(id, hash)).toBeDefined()
  await end(given)
  expect(await accounts.authenticate(key)).toEqual({ kind: 'revoked' })
  expect(await accounts.current(id, hash)).toBeUndefined()
  await undo?.(given)
  expect((await accounts.authenticate(key)).kind).toBe(undo ? 'ok' : 'revoked')
})

test.each(['users', 'spaces'] as const)('a key is unknown when one of its %s is deleted', async (of) => {
  const { accounts, key, id, hash } = await filledAccounts()
  await accounts[of].delete(of === 'users' ? 'ada' : 'red')
  expect(await accounts.authenticate(key)).toEqual({ kind: 'unknown' })
  expect(await accounts.current(id, hash)).toBeUndefined()
})

test('a name that is given again inherits nothing', async () => {
  const { accounts, key } = await filledAccounts()
  await accounts.users.delete('ada')
  await accounts.users.create({ name: 'ada' })
  expect(await accounts.authenticate(key)).toEqual({ kind: 'unknown' })
  expect(await accounts.members.list({ space: 'red' })).toEqual([])
  const bobs = await accounts.keys.create({ user: 'bob', space: 'red', scopes: ['memories:read'] })
  const before = await accounts.spaces.rename('red', 'old-red')
  const after = await accounts.spaces.create('red')
  expect(after.id).not.toBe(before.id)
  expect(await accounts.authenticate(bobs.key)).toMatchObject({
    principal: { space: 'old-red', spaceId: before.id },
  })
  expect(await accounts.keys.list({ space: 'red' })).toEqual([])
})

test('a member who returns to a space gets none of their old keys back', async () => {
  const { accounts, key } = await filledAccounts()
  await accounts.members.remove({ user: 'ada', space: 'red' })
  await accounts.keys.create({ user: 'ada', space: 'red', scopes: ['memories:read'] })
  expect(await accounts.authenticate(key)).toEqual({ kind: 'revoked' })
})

test('a key works until it expires', async () => {
  const { accounts, clock } = await filledAccounts()
  const expiresAt = clock.now + HOUR
  const { key, id } = await accounts.keys.create({
    user: 'ada',
    space: 'red',
    scopes: ['memories:read'],
    expiresAt,
  })
  clock.now = expiresAt - 1
  expect(await accounts.authenticate(key)).toMatchObject({ kind: 'ok', principal: { until: expiresAt } })
  clock.now = expiresAt
  expect(await accounts.authenticate(key)).toEqual({ kind: 'revoked' })
  expect(await accounts.current(id, sha256(key))).toBeUndefined()
})

test('lowering a role limits every key immediately; raising it gives no key more than it has', async () => {
  const { accounts, key } = await filledAccounts()
  const scopesWith = async (role: 'reader' | 'writer' | 'admin' | 'owner') => {
    await accounts.members.add({ user: 'ada', space: 'red', role })
    const found = await accounts.authenticate(key)
    return found.kind === 'ok' && found.principal.scopes
  }
  expect(await scopesWith('reader')).toEqual(['memories:read'])
  expect(await scopesWith('owner')).toEqual(READ_WRITE)
})

test('after a rotation the old secret works for as long as it may, and the key stays itself', async () => {
  const { accounts, clock, id, key } = await filledAccounts()
  const next = await accounts.keys.rotate(id, { graceMs: HOUR })
  expect(next.id).toBe(id)
  const [old, current] = [await accounts.authenticate(key), await accounts.authenticate(next.key)]
  expect(old).toMatchObject({ kind: 'ok', principal: { id, until: clock.now + HOUR } })
  expect(current).toMatchObject({ kind: 'ok', principal: { id, until: null } })
  clock.now += HOUR
  expect(await accounts.authenticate(key)).toEqual({ kind: 'revoked' })
  expect((await accounts.authenticate(next.key)).kind).toBe('ok')
  const last = await accounts.keys.rotate(id)
  expect((await accounts.authenticate(last.key)).kind).toBe('ok')
  expect(await accounts.authenticate(next.key)).toEqual({ kind: 'revoked' })
  expect(await accounts.authenticate(key)).toEqual({ kind: 'unknown' })
})

test('when a key was last used is stored at most once a minute, and when asked for', async () => {
  const { accounts, clock, key, calls } = await filledAccounts()
  const stored = async () => (await accounts.keys.list())[0]?.lastUsedAt
  const first = clock.now
  await accounts.authenticate(key)
  await expect.poll(stored).toBe(first)
  const before = calls.writes
  for (let second = 0; second < 59; second++) {
    clock.now += 1000
    await accounts.authenticate(key)
  }
  expect([await stored(), calls.writes]).toEqual([first, before])
  await accounts.flush()
  expect([await stored(), calls.writes]).toEqual([clock.now, before + 1])
  await accounts.flush()
  expect(calls.writes).toBe(before + 1)
})

test('a request does not fail if its time cannot be stored', async () => {
  const { accounts, store, key } = await filledAccounts()
  const failing = { ...store, write: () => Promise.reject(new Error('disk full')) }
  const { createAccounts } = await import('./accounts.ts')
  const again = createAccounts({
    store: failing,
    now: Date.now,
    randomBytes: (count) => new Uint8Array(count),
    sha256,
  })
  expect((await again.authenticate(key)).kind).toBe('ok')
  await again.close()
  await expect(accounts.users.list()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('accounts without anything know no key', async () => {
  const { accounts } = testAccounts()
  const token = createToken('aaaaaaaa', (count) => new Uint8Array(count))
  expect(await accounts.authenticate(token)).toEqual({ kind: 'unknown' })
  expect(await accounts.current('aaaaaaaa', sha256(token))).toBeUndefined()
})

test('uses close together are stored together', async () => {
  const { accounts, calls } = await filledAccounts()
  const tokens = await Promise.all(
    ['red', 'blue', 'red'].map(
      async (space) => (await accounts.keys.create({ user: 'bob', space, scopes: ['memories:read'] })).key,
    ),
  )
  const before = calls.writes
  await Promise.all(tokens.map((token) => accounts.authenticate(token)))
  await accounts.flush()
  expect(calls.writes - before).toBeLessThan(tokens.length)
  const used = (await accounts.keys.list({ user: 'bob' })).filter(({ lastUsedAt }) => lastUsedAt !== null)
  expect(used).toHaveLength(tokens.length)
})

test('the expiry of a key is the earliest of its own, those of the keys above it, and that of its old secret', async () => {
  const { accounts, clock, id, key } = await filledAccounts()
  const untilOf = async (token: string) => {
    const found = await accounts.authenticate(token)
    return found.kind === 'ok' && found.principal.until
  }
  expect(await untilOf(key)).toBeNull()
  const scopes = ['memories:read'] as const
  const expiresAt = clock.now + HOUR
  const parent = await accounts.keys.createChild(id, { scopes, expiresAt })
  const child = await accounts.keys.createChild(parent.id, { scopes, expiresAt: expiresAt - 1 })
  expect([await untilOf(parent.key), await untilOf(child.key)]).toEqual([expiresAt, expiresAt - 1])
  const next = await accounts.keys.rotate(parent.id, { graceMs: 10 })
  expect([await untilOf(parent.key), await untilOf(next.key)]).toEqual([clock.now + 10, expiresAt])
  expect(await untilOf(child.key)).toBe(expiresAt - 1)
})

test('a key carries the limits that its user has now', async () => {
  const { accounts, id, hash } = await filledAccounts()
  const limits = async () => (await accounts.current(id, hash))?.limits
  await accounts.users.setLimits('ada', { memories: 5, bytes: 'none' })
  expect(await limits()).toEqual({ memories: 5, bytes: 'none' })
  await accounts.users.setLimits('ada', { memories: 0 })
  expect(await limits()).toEqual({ memories: 0, bytes: 'none' })
  await accounts.users.setLimits('ada', { memories: 'default', bytes: 'default' })
  expect(await limits()).toEqual({})
  for (const limit of [-1, 1.5, Number.NaN, 'many' as never])
    await expect(accounts.users.setLimits('ada', { bytes: limit })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
  await expect(accounts.users.setLimits('eve', { bytes: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
