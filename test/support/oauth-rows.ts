import type {
  Grant,
  Login,
  OAuthClient,
  OAuthRecord,
  Password,
  ServerSecret,
} from '../../src/core/accounts/model.ts'
import type { AccountStore } from '../../src/core/accounts/port.ts'
import { fillAccounts } from './account-rows.ts'

/** Rows of users and spaces of `account-rows.ts`, as core would make them. */
export function passwordRow(user: string, given: Partial<Password> = {}): Password {
  return { userId: `user-${user}`, hash: `hash of ${user}`, changedAt: 1, ...given }
}

export function loginRow(id: string, user: string, given: Partial<Login> = {}): Login {
  return { id, userId: `user-${user}`, createdAt: 1, expiresAt: 100, ...given }
}

export function clientRow(id: string, given: Partial<OAuthClient> = {}): OAuthClient {
  return { id, name: `Client ${id}`, userId: null, metadata: '{}', createdAt: 1, ...given }
}

export function grantRow(
  id: string,
  { user, client, space }: { user: string; client: string; space: string },
  given: Partial<Grant> = {},
): Grant {
  return {
    id,
    userId: `user-${user}`,
    clientId: client,
    spaceId: `space-${space}`,
    clientName: 'Agent',
    scopes: ['memories:read', 'memories:write'],
    createdAt: 1,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...given,
  }
}

export function recordRow(kind: string, id: string, given: Partial<OAuthRecord> = {}): OAuthRecord {
  return { kind, id, grantId: null, uid: null, payload: '{}', expiresAt: null, consumedAt: null, ...given }
}

export function secretRow(
  id: string,
  kind: ServerSecret['kind'],
  given: Partial<ServerSecret> = {},
): ServerSecret {
  return { id, kind, value: `secret ${id}`, createdAt: 1, expiresAt: null, ...given }
}

/** A client known by a metadata document. */
export const BY_URL = 'https://agent.example/client.json'

/**
 * Ada and Bob with a password and a login each; a client of Ada's and one of everybody's; grants of Ada's in red and blue and
 * of Bob's in red, with a token and a code each.
 */
export async function fillOAuth(store: AccountStore): Promise<void> {
  await fillAccounts(store)
  await store.write(async (tx) => {
    for (const user of ['ada', 'bob']) {
      await tx.putPassword(passwordRow(user))
      await tx.putLogin(loginRow(`login of ${user}`, user))
    }
    await tx.putClient(clientRow('hers', { userId: 'user-ada' }))
    await tx.putClient(clientRow('shared'))
    await tx.putGrant(grantRow('ada-red', { user: 'ada', client: 'shared', space: 'red' }))
    await tx.putGrant(grantRow('ada-blue', { user: 'ada', client: BY_URL, space: 'blue' }))
    await tx.putGrant(grantRow('bob-red', { user: 'bob', client: BY_URL, space: 'red' }))
    for (const grantId of ['ada-red', 'ada-blue', 'bob-red']) {
      await tx.putRecord(recordRow('AccessToken', `token ${grantId}`, { grantId, expiresAt: 50 }))
      await tx.putRecord(recordRow('AuthorizationCode', `code ${grantId}`, { grantId, expiresAt: 10 }))
    }
    await tx.putRecord(recordRow('Session', 'session', { uid: 'uid', expiresAt: 60 }))
    await tx.putSecret(secretRow('s1', 'signing'))
  })
}

/** The ids of all that `fillOAuth` made and is still there. */
export function oauthIds(store: AccountStore) {
  return store.read(async (tx) => {
    const grants = ['ada-red', 'ada-blue', 'bob-red']
    const records = [
      ...(await Promise.all(grants.map((id) => tx.record('AccessToken', { id: `token ${id}` })))),
      ...(await Promise.all(grants.map((id) => tx.record('AuthorizationCode', { id: `code ${id}` })))),
      await tx.record('Session', { id: 'session' }),
    ]
    const users = ['ada', 'bob']
    const passwords = await Promise.all(users.map((user) => tx.password(`user-${user}`)))
    const logins = await Promise.all(users.map((user) => tx.login(`login of ${user}`)))
    return {
      passwords: passwords.flatMap((row) => (row ? [row.userId] : [])),
      logins: logins.flatMap((row) => (row ? [row.id] : [])),
      clients: (await tx.clients()).map(({ id }) => id),
      grants: (await tx.grants()).map(({ id }) => id),
      records: records.flatMap((row) => (row ? [row.id] : [])),
      secrets: (await tx.secrets('signing')).map(({ id }) => id),
    }
  })
}
