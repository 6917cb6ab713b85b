import { expect, test } from 'vitest'
import { memberRow, spaceRow, userRow } from '../support/account-rows.ts'
import {
  BY_URL,
  clientRow,
  fillOAuth,
  grantRow,
  loginRow,
  oauthIds,
  passwordRow,
  recordRow,
  secretRow,
} from '../support/oauth-rows.ts'
import type { OpenAccounts } from './accounts.ts'

export function accountOAuthContract(open: OpenAccounts): void {
  test('passwords, logins, clients, grants, records and secrets are read as they were stored', async () => {
    const { store, reopen } = await open()
    await fillOAuth(store)
    const client = clientRow('c', { name: 'é 🙂', userId: 'user-bob', metadata: '{"a":[1]}' })
    const grant = grantRow(
      'g',
      { user: 'bob', client: 'c', space: 'blue' },
      { scopes: ['memories:read'], expiresAt: 7, lastUsedAt: 8, revokedAt: 1_800_000_000_000 },
    )
    const record = recordRow('RefreshToken', 'r', {
      ...{ grantId: 'g', uid: 'u', payload: '{"x":"“é”"}', expiresAt: 1_800_000_000_001, consumedAt: 9 },
    })
    const secret = secretRow('s', 'setup', { expiresAt: 5 })
    await store.write(async (tx) => {
      await tx.putClient(client)
      await tx.putGrant(grant)
      await tx.putRecord(record)
      await tx.putSecret(secret)
    })
    await (reopen ? await reopen() : store).read(async (tx) => {
      expect(await tx.password('user-ada')).toEqual(passwordRow('ada'))
      expect(await tx.login('login of bob')).toEqual(loginRow('login of bob', 'bob'))
      expect(await tx.client('c')).toEqual(client)
      expect((await tx.clients()).map(({ id }) => id)).toEqual(['hers', 'shared', 'c'])
      expect(await tx.grant('g')).toEqual(grant)
      expect(await tx.record('RefreshToken', { id: 'r' })).toEqual(record)
      expect(await tx.record('RefreshToken', { uid: 'u' })).toEqual(record)
      expect(await tx.secrets('setup')).toEqual([secret])
      expect(await tx.secrets('signing')).toEqual([secretRow('s1', 'signing')])
    })
  })

  test('what is not there is undefined, and a record of another kind too', async () => {
    const { store } = await open()
    await fillOAuth(store)
    await store.read(async (tx) => {
      expect(await tx.password('nobody')).toBeUndefined()
      expect(await tx.login('nothing')).toBeUndefined()
      expect(await tx.client(BY_URL)).toBeUndefined()
      expect(await tx.grant('nothing')).toBeUndefined()
      expect(await tx.record('RefreshToken', { id: 'token ada-red' })).toBeUndefined()
      expect(await tx.record('Interaction', { uid: 'uid' })).toBeUndefined()
      expect(await tx.secrets('cookies')).toEqual([])
      expect(await tx.tokenAccess('nothing')).toBeUndefined()
    })
  })

  test('grants are listed by what they belong to', async () => {
    const { store } = await open()
    await fillOAuth(store)
    await store.read(async (tx) => {
      const ids = async (of: Parameters<typeof tx.grants>[0]) => (await tx.grants(of)).map(({ id }) => id)
      expect(await ids({})).toEqual(['ada-red', 'ada-blue', 'bob-red'])
      expect(await ids({ userId: 'user-ada' })).toEqual(['ada-red', 'ada-blue'])
      expect(await ids({ clientId: BY_URL })).toEqual(['ada-blue', 'bob-red'])
      expect(await ids({ spaceId: 'space-red', userId: 'user-bob' })).toEqual(['bob-red'])
      expect(await ids({ userId: 'user-ada', clientId: BY_URL, spaceId: 'space-red' })).toEqual([])
    })
  })

  test('a token comes with everything that decides whether it works', async () => {
    const { store } = await open()
    await fillOAuth(store)
    expect(await store.read((tx) => tx.tokenAccess('token bob-red'))).toEqual({
      token: recordRow('AccessToken', 'token bob-red', { grantId: 'bob-red', expiresAt: 50 }),
      grant: grantRow('bob-red', { user: 'bob', client: BY_URL, space: 'red' }),
      user: userRow('bob'),
      space: spaceRow('red'),
      member: memberRow('red', 'bob', { role: 'writer' }),
    })
    await store.write(async (tx) => {
      await tx.removeMember('space-red', 'user-bob')
      await tx.putRecord(recordRow('RefreshToken', 'refresh', { grantId: 'bob-red' }))
      await tx.putRecord(recordRow('AccessToken', 'of nobody'))
    })
    await store.read(async (tx) => {
      expect((await tx.tokenAccess('token bob-red'))?.member).toBeUndefined()
      // Only access tokens give access.
      expect(await tx.tokenAccess('refresh')).toBeUndefined()
      expect(await tx.tokenAccess('code bob-red')).toBeUndefined()
      expect(await tx.tokenAccess('of nobody')).toBeUndefined()
    })
  })

  test('a row that is stored again is changed in its place', async () => {
    const { store } = await open()
    await fillOAuth(store)
    const before = await oauthIds(store)
    const grant = grantRow('ada-red', { user: 'ada', client: 'shared', space: 'red' }, { revokedAt: 4 })
    const record = recordRow('AccessToken', 'token ada-red', { grantId: 'ada-red', consumedAt: 3 })
    await store.write(async (tx) => {
      await tx.putPassword(passwordRow('ada', { hash: 'new', changedAt: 2 }))
      await tx.putLogin(loginRow('login of ada', 'ada', { expiresAt: 200 }))
      await tx.putClient(clientRow('hers', { name: 'Renamed', userId: 'user-ada' }))
      await tx.putGrant(grant)
      await tx.putRecord(record)
      await tx.putSecret(secretRow('s1', 'signing', { expiresAt: 5 }))
    })
    expect(await oauthIds(store)).toEqual(before)
    await store.read(async (tx) => {
      expect((await tx.password('user-ada'))?.hash).toBe('new')
      expect((await tx.login('login of ada'))?.expiresAt).toBe(200)
      expect((await tx.client('hers'))?.name).toBe('Renamed')
      expect(await tx.grant('ada-red')).toEqual(grant)
      expect(await tx.record('AccessToken', { id: 'token ada-red' })).toEqual(record)
      expect((await tx.secrets('signing'))[0]?.expiresAt).toBe(5)
    })
  })

  test('a user, a client and a space have one grant; records are unique in their kind', async () => {
    const { store } = await open()
    await fillOAuth(store)
    const second = grantRow('second', { user: 'ada', client: 'shared', space: 'red' })
    await expect(store.write((tx) => tx.putGrant(second))).rejects.toThrow()
    await store.write((tx) => tx.putRecord(recordRow('RefreshToken', 'token ada-red')))
    const token = await store.read((tx) => tx.record('AccessToken', { id: 'token ada-red' }))
    expect(token?.grantId).toBe('ada-red')
  })

  test('what belongs to nobody is refused', async () => {
    const { store } = await open()
    await fillOAuth(store)
    const of = { user: 'ada', client: 'c', space: 'red' }
    await expect(store.write((tx) => tx.putPassword(passwordRow('eve')))).rejects.toThrow()
    await expect(store.write((tx) => tx.putLogin(loginRow('l', 'eve')))).rejects.toThrow()
    const client = clientRow('c', { userId: 'user-eve' })
    await expect(store.write((tx) => tx.putClient(client))).rejects.toThrow()
    await expect(store.write((tx) => tx.putGrant(grantRow('g', { ...of, user: 'eve' })))).rejects.toThrow()
    await expect(store.write((tx) => tx.putGrant(grantRow('g', { ...of, space: 'no' })))).rejects.toThrow()
    const record = recordRow('AccessToken', 'r', { grantId: 'none' })
    await expect(store.write((tx) => tx.putRecord(record))).rejects.toThrow()
  })

  test('what belongs to a user goes with it', async () => {
    const { store } = await open()
    await fillOAuth(store)
    await store.write((tx) => tx.removeUser('user-ada'))
    expect(await oauthIds(store)).toEqual({
      ...{ passwords: ['user-bob'], logins: ['login of bob'], clients: ['shared'], grants: ['bob-red'] },
      ...{ records: ['token bob-red', 'code bob-red', 'session'], secrets: ['s1'] },
    })
  })

  test('the grants of a space go with it, and the grants of a client with or without a row', async () => {
    const { store } = await open()
    await fillOAuth(store)
    await store.write((tx) => tx.removeSpace('space-blue'))
    expect((await oauthIds(store)).grants).toEqual(['ada-red', 'bob-red'])
    await store.write((tx) => tx.removeClient(BY_URL))
    expect(await oauthIds(store)).toMatchObject({ grants: ['ada-red'], clients: ['hers', 'shared'] })
    await store.write((tx) => tx.removeClient('shared'))
    expect(await oauthIds(store)).toMatchObject({ grants: [], clients: ['hers'], records: ['session'] })
  })

  test('logins, records and secrets are removed one by one, or by what they belong to', async () => {
    const { store } = await open()
    await fillOAuth(store)
    await store.write(async (tx) => {
      await tx.putLogin(loginRow('another', 'ada'))
      await tx.removeLogins({ id: 'another' })
      await tx.removeRecords({ kind: 'AccessToken', id: 'token ada-red' })
      await tx.removeRecords({ kind: 'AccessToken', id: 'code ada-blue' })
      await tx.removeRecords({ grantId: 'bob-red' })
    })
    expect(await store.read((tx) => tx.login('another'))).toBeUndefined()
    expect(await oauthIds(store)).toMatchObject({
      logins: ['login of ada', 'login of bob'],
      grants: ['ada-red', 'ada-blue', 'bob-red'],
      records: ['token ada-blue', 'code ada-red', 'code ada-blue', 'session'],
    })
    await store.write(async (tx) => {
      await tx.removeLogins({ userId: 'user-ada' })
      await tx.removeSecret('s1')
    })
    expect(await oauthIds(store)).toMatchObject({ logins: ['login of bob'], secrets: [] })
  })

  test('what expired before a time is removed, and nothing else', async () => {
    const { store } = await open()
    await fillOAuth(store)
    await store.write((tx) => tx.putSecret(secretRow('s2', 'signing', { expiresAt: 49 })))
    await store.write((tx) => tx.removeExpired(10))
    expect((await oauthIds(store)).records).toHaveLength(7)
    await store.write((tx) => tx.removeExpired(50))
    const tokens = ['token ada-red', 'token ada-blue', 'token bob-red']
    expect(await oauthIds(store)).toMatchObject({ records: [...tokens, 'session'], secrets: ['s1'] })
    await store.write((tx) => tx.removeExpired(101))
    const after = await oauthIds(store)
    expect(after).toMatchObject({ records: [], logins: [], secrets: ['s1'] })
    expect(after.grants).toHaveLength(3)
  })
}
