import { expect, test } from 'vitest'
import { sha256 } from '../../../test/support/test-accounts.ts'
import { AUDIENCE, CLIENT, grantedAccounts } from '../../../test/support/test-grants.ts'

type Granted = Awaited<ReturnType<typeof grantedAccounts>>
const HOUR = 3_600_000

async function withToken() {
  const made = await grantedAccounts()
  const grant = await made.give()
  await made.issue(grant, 'token')
  return { ...made, grant }
}

test('an access token identifies the client of its grant, with one read', async () => {
  const { accounts, grant, clock, calls } = await withToken()
  const principal = {
    ...{ id: grant.id, rootId: grant.id, author: `ada/${grant.id}`, userId: grant.userId, user: 'ada' },
    ...{ limits: {}, spaceId: grant.spaceId, space: 'red', scopes: ['memories:read', 'memories:write'] },
    until: clock.now + HOUR,
  }
  const before = calls.reads
  expect(await accounts.authenticate('token', AUDIENCE)).toEqual({
    ...{ kind: 'ok', principal, hash: sha256('token'), tokenScopes: principal.scopes },
  })
  expect(calls.reads).toBe(before + 1)
  expect(await accounts.current(grant.id, sha256('token'))).toEqual(principal)
})

test('API keys work where tokens do, and a wrong key is not taken for a token', async () => {
  const { accounts, key } = await withToken()
  expect((await accounts.authenticate(key, AUDIENCE)).kind).toBe('ok')
  expect((await accounts.authenticate(`${key}x`, AUDIENCE)).kind).toBe('malformed')
})

test('where no audience is asked for, tokens do not work', async () => {
  const { accounts } = await withToken()
  expect(await accounts.authenticate('token')).toEqual({ kind: 'malformed' })
})

test.each(['https://memory.example/s/blue/mcp', 'https://memory.example/mcp', '', `${AUDIENCE}/`])(
  'a token for another audience than %j is unknown',
  async (audience) => {
    const { accounts } = await withToken()
    expect(await accounts.authenticate('token', audience)).toEqual({ kind: 'unknown_token' })
  },
)

test('refresh tokens, codes, hashes and unknown texts are no bearer tokens', async () => {
  const { grant, issue, kindOf } = await withToken()
  for (const kind of ['RefreshToken', 'AuthorizationCode', 'Session']) {
    await issue(grant, kind, { kind })
    expect(await kindOf(kind)).toBe('unknown_token')
  }
  expect(await kindOf(sha256('token'))).toBe('unknown_token')
  expect(await kindOf('')).toBe('unknown_token')
})

test('a token without an audience or scopes gives no access', async () => {
  const { accounts, grant, issue, kindOf, clock } = await withToken()
  await accounts.records.put({
    ...{ kind: 'AccessToken', id: 'bare', grantId: grant.id, payload: '{}', expiresAt: clock.now + HOUR },
  })
  expect(await kindOf('bare')).toBe('unknown_token')
  await issue(grant, 'unscoped', { scope: 'openid' })
  expect(await kindOf('unscoped')).toBe('revoked_token')
})

test.each<[token: string, grant: string, role: 'reader' | 'owner', scopes: string]>([
  ['memories:read memories:write', 'memories:read memories:write', 'owner', 'memories:read memories:write'],
  ['memories:read', 'memories:read memories:write', 'owner', 'memories:read'],
  ['memories:read memories:write', 'memories:read', 'owner', 'memories:read'],
  ['memories:write', 'memories:write', 'reader', 'memories:read'],
  ['memories:admin', 'memories:write', 'owner', 'memories:read memories:write'],
])('a token of %s, granted %s to a %s, has %s', async (token, granted, role, scopes) => {
  const { accounts, give, issue } = await grantedAccounts()
  await accounts.members.add({ user: 'ada', space: 'red', role })
  const grant = await give({ scopes: granted.split(' ') as ['memories:read'] })
  await issue(grant, 'token', { scope: token })
  expect(await accounts.authenticate('token', AUDIENCE)).toMatchObject({
    principal: { scopes: scopes.split(' ') },
  })
})

/** The ways a token ends, and what it is then. */
const ENDS: Record<string, [end: (made: Granted) => unknown, kind: 'unknown_token' | 'revoked_token']> = {
  'it expires': [({ clock }) => (clock.now += HOUR), 'revoked_token'],
  'its user is disabled': [({ accounts }) => accounts.users.disable('ada'), 'revoked_token'],
  'its user is deleted': [({ accounts }) => accounts.users.delete('ada'), 'unknown_token'],
  'its space is archived': [({ accounts }) => accounts.spaces.archive('red'), 'revoked_token'],
  'its space is deleted': [({ accounts }) => accounts.spaces.delete('red'), 'unknown_token'],
  'its user leaves the space': [
    ({ accounts }) => accounts.members.remove({ user: 'ada', space: 'red' }),
    'unknown_token',
  ],
  'its client is removed': [({ accounts }) => accounts.clients.remove(CLIENT), 'unknown_token'],
  'its grant is revoked': [
    async ({ accounts }) => accounts.grants.revoke((await accounts.grants.list())[0]?.id ?? ''),
    'unknown_token',
  ],
  'it is revoked itself': [
    ({ accounts }) => accounts.records.remove('AccessToken', 'token'),
    'unknown_token',
  ],
}

test.each(Object.entries(ENDS))('a token stops working at once when %s', async (_what, [end, kind]) => {
  const made = await withToken()
  await end(made)
  expect(await made.kindOf('token')).toBe(kind)
  expect(await made.accounts.current(made.grant.id, sha256('token'))).toBeUndefined()
})

test('a token ends with its grant, if that is earlier', async () => {
  const { accounts, give, issue, kindOf, clock } = await grantedAccounts()
  const grant = await give({ expiresAt: clock.now + 1000 })
  await issue(grant, 'token')
  expect(await accounts.authenticate('token', AUDIENCE)).toMatchObject({
    principal: { until: clock.now + 1000 },
  })
  clock.now += 1000
  expect(await kindOf('token')).toBe('revoked_token')
})

test('an open connection is current only for the grant of its own token', async () => {
  const { accounts, give, issue, grant } = await withToken()
  const other = await give({ user: 'bob' })
  await issue(other, 'bobs token')
  expect(await accounts.current(grant.id, sha256('bobs token'))).toBeUndefined()
  expect((await accounts.current(other.id, sha256('bobs token')))?.user).toBe('bob')
})

test('the last use of a grant is stored', async () => {
  const { accounts, grant, kindOf, clock } = await withToken()
  clock.now += 5000
  await kindOf('token')
  await accounts.flush()
  expect((await accounts.grants.get(grant.id))?.lastUsedAt).toBe(clock.now)
})

test('a client whose token expired can get another, unless more than the token ended', async () => {
  const { accounts, grant, clock } = await withToken()
  const canRenew = () => accounts.canRenew(grant.id, sha256('token'))
  clock.now += HOUR
  expect(await accounts.current(grant.id, sha256('token'))).toBeUndefined()
  expect(await canRenew()).toBe(true)
  expect(await accounts.canRenew('another', sha256('token'))).toBe(false)
  await accounts.users.disable('ada')
  expect(await canRenew()).toBe(false)
  await accounts.users.enable('ada')
  await accounts.grants.revoke(grant.id)
  expect(await canRenew()).toBe(false)
})
