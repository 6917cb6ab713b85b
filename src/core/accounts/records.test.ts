import { expect, test } from 'vitest'
import { filledAccounts, sha256 } from '../../../test/support/test-accounts.ts'
import { auditAfter, auditEnd } from '../../../test/support/test-audit.ts'
import { grantedAccounts } from '../../../test/support/test-grants.ts'

const DAY = 86_400_000

test('a record is found by its secret and by its other name until it expires', async () => {
  const { accounts, clock, store } = await filledAccounts()
  const given = { kind: 'Session', id: 'secret', uid: 'name', payload: '{"a":1}', expiresAt: clock.now + 10 }
  await accounts.records.put(given)
  const { id: _, ...found } = { ...given, grantId: null, consumedAt: null }
  expect(await accounts.records.find('Session', { id: 'secret' })).toEqual(found)
  expect(await accounts.records.find('Session', { uid: 'name' })).toEqual(found)
  expect(await accounts.records.find('Interaction', { id: 'secret' })).toBeUndefined()
  expect(await accounts.records.find('Session', { id: sha256('secret') })).toBeUndefined()
  expect(await store.read((tx) => tx.record('Session', { id: sha256('secret') }))).toBeDefined()
  clock.now += 10
  expect(await accounts.records.find('Session', { id: 'secret' })).toBeUndefined()
  expect(await accounts.records.consume('Session', 'secret')).toBe(false)
})

test('a record is consumed by exactly one of many callers, and stays consumed', async () => {
  const { accounts, clock } = await filledAccounts()
  const code = { kind: 'AuthorizationCode', id: 'code', payload: '{}', expiresAt: clock.now + 10 }
  await accounts.records.put(code)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => accounts.records.consume('AuthorizationCode', 'code')),
  )
  expect(outcomes.filter(Boolean)).toHaveLength(1)
  await accounts.records.put(code)
  expect(await accounts.records.consume('AuthorizationCode', 'code')).toBe(false)
  expect((await accounts.records.find('AuthorizationCode', { id: 'code' }))?.consumedAt).toBe(clock.now)
  expect(await accounts.records.consume('AuthorizationCode', 'another')).toBe(false)
})

test('a record is removed alone, or with all of its grant', async () => {
  const { accounts, give, issue } = await grantedAccounts()
  const grant = await give()
  for (const id of ['a', 'b', 'c']) await issue(grant, id, { kind: 'RefreshToken' })
  await issue(grant, 'token')
  const left = async () => {
    const found = await Promise.all(
      ['a', 'b', 'c'].map((id) => accounts.records.find('RefreshToken', { id })),
    )
    return found.filter(Boolean).length
  }
  await accounts.records.remove('RefreshToken', 'a')
  await accounts.records.remove('RefreshToken', 'a')
  expect(await left()).toBe(2)
  await accounts.records.removeOfGrant(grant.id)
  expect(await left()).toBe(0)
  expect(await accounts.records.find('AccessToken', { id: 'token' })).toBeUndefined()
  expect(await accounts.grants.get(grant.id)).toBeDefined()
})

test('a record of a grant that there is not is refused', async () => {
  const { accounts } = await filledAccounts()
  const record = { kind: 'AccessToken', id: 'x', grantId: 'none', payload: '{}', expiresAt: null }
  await expect(accounts.records.put(record)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('what expired a day ago is removed from the store', async () => {
  const { accounts, clock, store } = await filledAccounts()
  const put = (id: string) =>
    accounts.records.put({ kind: 'Interaction', id, payload: '{}', expiresAt: clock.now + 10 })
  const stored = (id: string) => store.read((tx) => tx.record('Interaction', { id: sha256(id) }))
  await put('first')
  clock.now += DAY
  await put('second')
  expect(await stored('first')).toBeDefined()
  clock.now += DAY
  await put('third')
  expect(await stored('first')).toBeUndefined()
  expect(await stored('second')).toBeDefined()
})

test('the audit has the tokens that were issued and revoked, by their grants', async () => {
  const { accounts, store, give, clock } = await grantedAccounts()
  const { id: grantId, userId } = await give()
  const end = await auditEnd(store)
  const record = { id: 'token', grantId, payload: '{"aud":"a"}', expiresAt: clock.now + 10 }
  await accounts.records.put({ ...record, kind: 'AuthorizationCode' })
  await accounts.records.put({ ...record, kind: 'AccessToken' }, '10.0.0.1')
  await accounts.records.put({ ...record, kind: 'AccessToken' })
  await accounts.records.remove('AccessToken', 'token', '10.0.0.1')
  await accounts.records.remove('AccessToken', 'token')
  await accounts.records.remove('AuthorizationCode', 'token')
  const by = { userId, principalId: grantId, address: '10.0.0.1', subject: `grant ${grantId}` }
  expect(await auditAfter(store, end)).toEqual([
    { event: 'token_issued', ...by },
    { event: 'token_revoked', ...by },
  ])
})
