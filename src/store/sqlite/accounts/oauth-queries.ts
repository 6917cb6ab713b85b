import type { Database } from 'better-sqlite3'
import type { Scope } from '../../../core/access/scopes.ts'
import type {
  Grant,
  Login,
  OAuthClient,
  OAuthRecord,
  Password,
  ServerSecret,
} from '../../../core/accounts/model.ts'
import type { OAuthTx } from '../../../core/accounts/port.ts'
import { columnsOf } from '../database/rows.ts'
import { type Sync, statement } from '../database/statements.ts'
import { given, rowsOf } from './rows.ts'

const PASSWORD = columnsOf('userId hash changedAt')
const LOGIN = columnsOf('id userId createdAt expiresAt')
const CLIENT = columnsOf('id name userId metadata createdAt')
const GRANT = columnsOf(
  'id userId clientId spaceId clientName scopes createdAt expiresAt lastUsedAt revokedAt',
)
const RECORD = columnsOf('kind id grantId uid payload expiresAt consumedAt')
const SECRET = columnsOf('id kind value createdAt expiresAt')

interface GrantRow extends Omit<Grant, 'scopes'> {
  scopes: string
}

/** Passwords, logins, and what the authorization server keeps. */
export function oauthQueries(db: Database): Sync<OAuthTx> {
  const passwords = rowsOf<Password>(db, 'passwords', PASSWORD, ['userId'])
  const logins = rowsOf<Login>(db, 'logins', LOGIN)
  const clients = rowsOf<OAuthClient>(db, 'oauth_clients', CLIENT)
  const grants = rowsOf<GrantRow>(db, 'grants', GRANT)
  const records = rowsOf<OAuthRecord>(db, 'oauth_records', RECORD, ['kind', 'id'])
  const secrets = rowsOf<ServerSecret>(db, 'server_secrets', SECRET)
  const expired = ['oauth_records', 'logins', 'server_secrets'].map((table) =>
    statement<[number]>(db, `DELETE FROM ${table} WHERE expires_at < ?`),
  )

  return {
    password: (userId) => passwords.get({ userId }),
    login: (id) => logins.get({ id }),
    client: (id) => clients.get({ id }),
    clients: () => clients.all({}),
    grant: (id) => given(grants.get({ id }), toGrant),
    grants: (of = {}) => grants.all(of).map(toGrant),
    record: (kind, by) => records.get({ kind, ...by }),
    secrets: (kind) => secrets.all({ kind }),
    putPassword: passwords.put,
    putLogin: logins.put,
    putClient: clients.put,
    putGrant: (grant) => grants.put({ ...grant, scopes: grant.scopes.join(' ') }),
    putRecord: records.put,
    putSecret: secrets.put,
    removeLogins: logins.remove,
    removeClient(id) {
      grants.remove({ clientId: id })
      clients.remove({ id })
    },
    removeRecords: records.remove,
    removeSecret: (id) => secrets.remove({ id }),
    removeExpired(before) {
      for (const remove of expired) remove().run(before)
    },
  }
}

function toGrant({ scopes, ...row }: GrantRow): Grant {
  return { ...row, scopes: scopes.split(' ') as Scope[] }
}
