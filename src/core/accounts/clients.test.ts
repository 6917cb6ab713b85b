import { expect, test } from 'vitest'
import { auditAfter, auditEnd } from '../../../test/support/test-audit.ts'
import { CLIENT, grantedAccounts } from '../../../test/support/test-grants.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const named = (id: string) => ({ id, name: 'Agent', metadata: '{"redirect_uris":[]}' })

test('a client is found as it registered, and keeps its owner when it registers again', async () => {
  const { accounts, clock } = await grantedAccounts()
  const client = await accounts.clients.register(named('c1'))
  expect(client).toEqual({ ...named('c1'), userId: null, createdAt: clock.now })
  expect(await accounts.clients.find('c1')).toEqual(client)
  expect(await accounts.clients.find('c2')).toBeUndefined()
  const ada = await accounts.users.find('ada')
  await accounts.clients.bind('c1', ada.id)
  await accounts.clients.register({ ...named('c1'), name: 'Renamed', metadata: '{}' })
  expect(await accounts.clients.find('c1')).toMatchObject({
    ...{ name: 'Renamed', metadata: '{}', userId: ada.id },
  })
})

test('the first user has a client, even if two ask at once', async () => {
  const { accounts } = await grantedAccounts()
  await accounts.clients.register(named('c1'))
  const users = await accounts.users.list()
  const outcomes = await Promise.allSettled(users.map(({ id }) => accounts.clients.bind('c1', id)))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: {
      code: 'FORBIDDEN',
      message: 'This client is already associated with a different user account.',
    },
  })
  const owner = (await accounts.clients.find('c1'))?.userId ?? ''
  expect(await accounts.clients.bind('c1', owner)).toMatchObject({ userId: owner })
  await expect(accounts.clients.bind('c2', owner)).rejects.toMatchObject({
    ...{ code: 'NOT_FOUND', message: 'Unknown or deleted client' },
  })
})

test('a client goes with the user it is bound to, and an unbound one stays', async () => {
  const { accounts } = await grantedAccounts()
  for (const id of ['hers', 'shared']) await accounts.clients.register(named(id))
  await accounts.clients.bind('hers', (await accounts.users.find('ada')).id)
  await accounts.users.delete('ada')
  expect((await accounts.clients.list()).map(({ id }) => id)).toEqual(['shared'])
})

test('clients are listed with the number of grants that work', async () => {
  const { accounts, give, clock } = await grantedAccounts()
  for (const id of ['c1', 'c2']) await accounts.clients.register(named(id))
  await give({ clientId: 'c1' })
  await give({ clientId: 'c1', user: 'bob', expiresAt: clock.now + 10 })
  await accounts.grants.revoke((await give({ clientId: 'c2' })).id)
  const counts = async () => (await accounts.clients.list()).map(({ id, grants }) => [id, grants])
  expect(await counts()).toEqual([
    ['c1', 2],
    ['c2', 0],
  ])
  clock.now += 10
  expect((await counts())[0]).toEqual(['c1', 1])
})

test('removing a client ends all its grants, whether it registered or has a metadata document', async () => {
  const { accounts, give, issue, kindOf } = await grantedAccounts()
  await accounts.clients.register(named('c1'))
  await issue(await give({ clientId: 'c1' }), 'of c1')
  const byUrl = await give()
  await issue(byUrl, 'of url')
  expect(await accounts.clients.remove('c1')).toBe(true)
  expect(await accounts.clients.remove('c1')).toBe(false)
  expect(await accounts.clients.find('c1')).toBeUndefined()
  expect(await kindOf('of c1')).toBe('unknown_token')
  expect(await kindOf('of url')).toBe('ok')
  expect(await accounts.clients.remove(CLIENT)).toBe(true)
  expect(await accounts.clients.remove(CLIENT)).toBe(false)
  expect(await kindOf('of url')).toBe('unknown_token')
  // Nothing but its grants is known of it: let in again, it has its documents.
  expect((await give()).id).toBe(byUrl.id)
})

test('unused clients are limited, and make room after an hour if they must; used ones stay', async () => {
  const { accounts, give, clock } = await grantedAccounts()
  for (let at = 0; at < 1001; at++) {
    await accounts.clients.register(named(`c${at}`))
    if (at === 0) await give({ clientId: 'c0' })
  }
  const full = { code: 'LIMIT_EXCEEDED' }
  await expect(accounts.clients.register(named('one more'))).rejects.toMatchObject(full)
  clock.now += HOUR
  await expect(accounts.clients.register(named('one more'))).rejects.toMatchObject(full)
  clock.now += 1
  await accounts.clients.register(named('one more'))
  const ids = (await accounts.clients.list()).map(({ id }) => id)
  expect([ids.length, ids[0], ids[1], ids.at(-1)]).toEqual([1001, 'c0', 'c2', 'one more'])
})

test('unused clients are removed after 30 days', async () => {
  const { accounts, clock } = await grantedAccounts()
  for (const id of ['c6', 'c7', 'c8']) await accounts.clients.register(named(id))
  clock.now += 20 * DAY
  // Registering again keeps an unused one for longer.
  await accounts.clients.register(named('c7'))
  clock.now += 10 * DAY
  await accounts.clients.register(named('another'))
  expect(await accounts.clients.list()).toHaveLength(4)
  clock.now += 1
  await accounts.clients.register(named('one more'))
  expect((await accounts.clients.list()).map(({ id }) => id)).toEqual(['c7', 'another', 'one more'])
})

test('a client whose grant ended lately is kept with the id of that grant', async () => {
  const { accounts, give, clock } = await grantedAccounts()
  await accounts.clients.register(named('c1'))
  const grant = await give({ clientId: 'c1' })
  clock.now += 40 * DAY
  await accounts.grants.revoke(grant.id)
  await accounts.clients.register(named('c2'))
  expect((await give({ clientId: 'c1' })).id).toBe(grant.id)
  await accounts.grants.revoke(grant.id)
  clock.now += 31 * DAY
  await accounts.clients.register(named('c3'))
  expect((await accounts.clients.list()).map(({ id }) => id)).toEqual(['c3'])
})

test('the audit says which clients registered and were removed', async () => {
  const { accounts, store, give } = await grantedAccounts()
  const end = await auditEnd(store)
  const by = { userId: '', principalId: '', address: '10.0.0.1' }
  await accounts.clients.register(named('c1'), by)
  await accounts.clients.register(named('c1'), by)
  const { id } = await give({ clientId: 'c1' })
  await accounts.clients.remove('c1', by)
  const events = await auditAfter(store, end)
  expect(events.filter(({ event }) => event !== 'grant_given')).toEqual([
    { event: 'client_registered', ...by, subject: 'client c1' },
    { event: 'grant_revoked', ...by, subject: `grant ${id}` },
    { event: 'client_deleted', ...by, subject: 'client c1' },
  ])
})
