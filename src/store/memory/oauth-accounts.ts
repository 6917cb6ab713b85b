import type {
  Grant,
  Login,
  OAuthClient,
  OAuthRecord,
  Password,
  ServerSecret,
  User,
} from '../../core/accounts/model.ts'
import type { OAuthTx } from '../../core/accounts/port.ts'
import type { Sync } from '../tx.ts'

/** Passwords, logins, and what the authorization server keeps. */
export interface OAuthState {
  passwords: Map<string, Password>
  logins: Map<string, Login>
  clients: Map<string, OAuthClient>
  grants: Map<string, Grant>
  records: Map<string, OAuthRecord>
  secrets: Map<string, ServerSecret>
}

interface OAuthQueries extends Sync<OAuthTx> {
  /** What belongs to a user or a space. */
  removeOf(of: { userId: string } | { spaceId: string }): void
}

export function oauthQueries(
  { passwords, logins, clients, grants, records, secrets }: OAuthState,
  known: { users: Map<string, User>; spaces: Map<string, unknown> },
): OAuthQueries {
  function refuseStranger(userId: string): void {
    if (!known.users.has(userId)) throw new Error('no such user')
  }

  function removeGrants(of: Partial<Grant>): void {
    for (const { id } of matching(grants, of)) {
      grants.delete(id)
      removeRecords({ grantId: id })
    }
  }

  function removeRecords(of: Partial<OAuthRecord>): void {
    for (const record of matching(records, of)) records.delete(recordKey(record))
  }

  return {
    password: (userId) => passwords.get(userId),
    login: (id) => logins.get(id),
    client: (id) => clients.get(id),
    clients: () => [...clients.values()],
    grant: (id) => grants.get(id),
    grants: (of = {}) => matching(grants, of),
    record: (kind, by) => matching(records, { kind, ...by })[0],
    secrets: (kind) => matching(secrets, { kind }),
    putPassword(password) {
      refuseStranger(password.userId)
      passwords.set(password.userId, password)
    },
    putLogin(login) {
      refuseStranger(login.userId)
      logins.set(login.id, login)
    },
    putClient(client) {
      if (client.userId !== null) refuseStranger(client.userId)
      clients.set(client.id, client)
    },
    putGrant(grant) {
      const { id, userId, clientId, spaceId } = grant
      refuseStranger(userId)
      if (!known.spaces.has(spaceId)) throw new Error('no such space')
      if (matching(grants, { userId, clientId, spaceId }).some((other) => other.id !== id))
        throw new Error('there is a grant for these already')
      grants.set(id, grant)
    },
    putRecord(record) {
      if (record.grantId !== null && !grants.has(record.grantId)) throw new Error('no such grant')
      records.set(recordKey(record), record)
    },
    putSecret: (secret) => void secrets.set(secret.id, secret),
    removeLogins(of) {
      for (const { id } of matching<Login>(logins, of)) logins.delete(id)
    },
    removeClient(id) {
      removeGrants({ clientId: id })
      clients.delete(id)
    },
    removeRecords,
    removeSecret: (id) => void secrets.delete(id),
    removeExpired(before) {
      for (const rows of [logins, records, secrets] as Map<string, { expiresAt: number | null }>[])
        for (const [key, { expiresAt }] of [...rows])
          if (expiresAt !== null && expiresAt < before) rows.delete(key)
    },
    removeOf(of) {
      removeGrants(of)
      if (!('userId' in of)) return
      passwords.delete(of.userId)
      for (const { id } of matching(logins, of)) logins.delete(id)
      for (const { id } of matching(clients, of)) clients.delete(id)
    },
  }
}

function recordKey({ kind, id }: OAuthRecord): string {
  return `${kind} ${id}`
}

/** The rows with these values, in the order in which they were stored first. */
export function matching<T extends object>(rows: Map<string, T>, by: Partial<T>): T[] {
  const wanted = Object.entries(by)
  return [...rows.values()].filter((row) =>
    wanted.every(([name, value]) => (row as Record<string, unknown>)[name] === value),
  )
}
