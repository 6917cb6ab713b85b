import { expect, test } from 'vitest'
import { auditAfter, auditEnd } from '../../../test/support/test-audit.ts'
import { CLIENT, grantedAccounts } from '../../../test/support/test-grants.ts'

type Granted = Awaited<ReturnType<typeof grantedAccounts>>
const HOUR = 3_600_000

test('a grant is found by its three parts and by its id', async () => {
  const { accounts, give, clock } = await grantedAccounts()
  const grant = await give({ expiresAt: clock.now + HOUR })
  expect(grant).toMatchObject({
    ...{ clientId: CLIENT, clientName: 'Agent', scopes: ['memories:read', 'memories:write'] },
    ...{ createdAt: clock.now, expiresAt: clock.now + HOUR, lastUsedAt: null, revokedAt: null },
  })
  expect(await accounts.grants.find(grant)).toEqual(grant)
  expect(await accounts.grants.get(grant.id)).toEqual({ ...grant, user: 'ada', space: 'red' })
  expect(await accounts.grants.find({ ...grant, clientId: 'another' })).toBeUndefined()
  expect(await accounts.grants.get('another')).toBeUndefined()
})

test('agreeing again replaces what was agreed, and keeps the id and the tokens', async () => {
  const { accounts, give, issue, kindOf } = await grantedAccounts()
  const first = await give()
  await issue(first, 'token')
  const second = await give({ scopes: ['memories:read'], clientName: 'Renamed' })
  expect(second).toEqual({ ...first, scopes: ['memories:read'], clientName: 'Renamed' })
  expect(await kindOf('token')).toBe('ok')
  expect(await accounts.grants.list()).toHaveLength(1)
})

test('a revoked grant is not found; given again it has its old id, and its old tokens stay dead', async () => {
  const { accounts, give, issue, kindOf } = await grantedAccounts()
  const grant = await give()
  await issue(grant, 'token')
  await issue(grant, 'refresh', { kind: 'RefreshToken' })
  expect(await accounts.grants.revoke(grant.id)).toBe(true)
  expect(await accounts.grants.revoke(grant.id)).toBe(false)
  expect(await accounts.grants.get(grant.id)).toBeUndefined()
  expect(await accounts.grants.find(grant)).toBeUndefined()
  expect(await accounts.grants.list()).toEqual([])
  await expect(issue(grant, 'late')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect((await give()).id).toBe(grant.id)
  expect(await kindOf('token')).toBe('unknown_token')
  expect(await accounts.records.find('RefreshToken', { id: 'refresh' })).toBeUndefined()
})

test('a grant that expired begins again without the tokens of before', async () => {
  const { accounts, give, issue, clock } = await grantedAccounts()
  const grant = await give({ expiresAt: clock.now + 1000 })
  await issue(grant, 'refresh', { kind: 'RefreshToken' })
  clock.now += 1000
  expect(await accounts.grants.get(grant.id)).toBeUndefined()
  expect(await accounts.grants.list()).toEqual([])
  expect(await give()).toMatchObject({ id: grant.id, createdAt: clock.now })
  expect(await accounts.records.find('RefreshToken', { id: 'refresh' })).toBeUndefined()
})

test('grants are listed with names, by user, space and client', async () => {
  const { accounts, give } = await grantedAccounts()
  await accounts.members.add({ user: 'ada', space: 'blue', role: 'owner' })
  await give()
  await give({ space: 'blue' })
  await give({ user: 'bob', clientId: 'another' })
  const names = async (of?: Parameters<typeof accounts.grants.list>[0]) =>
    (await accounts.grants.list(of)).map(({ user, space }) => `${user} ${space}`)
  expect(await names()).toEqual(['ada red', 'ada blue', 'bob red'])
  expect(await names({ user: 'ada' })).toEqual(['ada red', 'ada blue'])
  expect(await names({ space: 'red' })).toEqual(['ada red', 'bob red'])
  expect(await names({ user: 'ada', clientId: CLIENT, space: 'blue' })).toEqual(['ada blue'])
  await expect(accounts.grants.list({ user: 'eve' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test.each<[what: string, change: (made: Granted) => Promise<unknown>]>([
  ['a disabled user', ({ accounts }) => accounts.users.disable('ada')],
  ['who is not a member', ({ accounts }) => accounts.members.remove({ user: 'ada', space: 'red' })],
  ['for an archived space', ({ accounts }) => accounts.spaces.archive('red')],
])('no grant is given by or %s', async (_what, change) => {
  const made = await grantedAccounts()
  await change(made)
  await expect(made.give()).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('scopes and the end of a grant are checked; admin is never granted', async () => {
  const { give, clock } = await grantedAccounts()
  const refused = { code: 'INVALID_INPUT' }
  await expect(give({ scopes: [] })).rejects.toMatchObject(refused)
  await expect(give({ scopes: ['memories:read', 'memories:admin'] })).rejects.toMatchObject(refused)
  await expect(give({ scopes: ['memories:everything' as 'memories:read'] })).rejects.toMatchObject(refused)
  await expect(give({ expiresAt: clock.now })).rejects.toMatchObject(refused)
})

test('what a client calls itself stays on one line, and is not endless', async () => {
  const { give } = await grantedAccounts()
  const name = `Evil\u202e\nAgent\u0000${'x'.repeat(200)}`
  expect((await give({ clientName: name })).clientName).toBe(`Evil Agent ${'x'.repeat(89)}`)
})

test('a client of another user is refused', async () => {
  const { accounts, give } = await grantedAccounts()
  await accounts.clients.register({ id: 'secret-client', name: 'Agent', metadata: '{}' })
  await accounts.clients.bind('secret-client', (await accounts.users.find('ada')).id)
  await give({ clientId: 'secret-client' })
  await expect(give({ user: 'bob', clientId: 'secret-client' })).rejects.toThrow(
    'This client is already associated with a different user account.',
  )
})

test('a member who is removed loses the grants for that space only, for good', async () => {
  const { accounts, give, issue, kindOf } = await grantedAccounts()
  await accounts.members.add({ user: 'ada', space: 'blue', role: 'owner' })
  await issue(await give(), 'red token')
  await give({ space: 'blue' })
  await accounts.members.remove({ user: 'ada', space: 'red' })
  await accounts.members.add({ user: 'ada', space: 'red', role: 'owner' })
  expect(await kindOf('red token')).toBe('unknown_token')
  expect((await accounts.grants.list()).map(({ space }) => space)).toEqual(['blue'])
})

test('the audit says who gave and revoked what', async () => {
  const { accounts, store, give } = await grantedAccounts()
  const end = await auditEnd(store)
  const { id, userId } = await give()
  const by = { userId, principalId: '', address: '10.0.0.1' }
  await give({ by })
  await accounts.grants.revoke(id, by)
  const subject = `grant ${id}`
  expect(await auditAfter(store, end)).toEqual([
    { event: 'grant_given', ...by, address: '', subject },
    { event: 'grant_given', ...by, subject },
    { event: 'grant_revoked', ...by, subject },
  ])
})

test('the audit has the grants and clients that go with a deleted user or space', async () => {
  const { accounts, store, give } = await grantedAccounts()
  await accounts.members.add({ user: 'ada', space: 'blue', role: 'owner' })
  await accounts.clients.register({ id: 'hers', name: 'Agent', metadata: '{}' })
  await accounts.clients.bind('hers', (await accounts.users.find('ada')).id)
  const red = await give()
  const blue = await give({ space: 'blue' })
  const bobs = await give({ user: 'bob' })
  await accounts.grants.revoke((await give({ clientId: 'hers' })).id)
  const subjects = async (end: number) => {
    const events = await auditAfter(store, end)
    return events
      .filter(({ event }) => event === 'grant_revoked' || event === 'client_deleted')
      .map(({ subject }) => subject)
  }
  const first = await auditEnd(store)
  await accounts.spaces.delete('blue')
  expect(await subjects(first)).toEqual([`grant ${blue.id}`])
  const second = await auditEnd(store)
  await accounts.users.delete('ada')
  expect(await subjects(second)).toEqual([`grant ${red.id}`, 'client hers'])
  expect(await accounts.grants.get(bobs.id)).toBeDefined()
})
