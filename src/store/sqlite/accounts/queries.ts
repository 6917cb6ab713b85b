import type { Database } from 'better-sqlite3'
import type { Limit, LimitOverrides } from '../../../core/access/limits.ts'
import type { Scope } from '../../../core/access/scopes.ts'
import type { ApiKey, Member, Space, User } from '../../../core/accounts/model.ts'
import {
  ACCESS_TOKEN,
  type AccountTx,
  type KeyAccess,
  nameTaken,
  type TokenAccess,
} from '../../../core/accounts/port.ts'
import type { AuditEntry, AuditHead } from '../../../core/port/audit.ts'
import { codeOf } from '../database/errors.ts'
import { columnsOf, digestBlob, hexOf, selected, TABLES } from '../database/rows.ts'
import { insertion, limitOf, type Sync, statement } from '../database/statements.ts'
import { oauthQueries } from './oauth-queries.ts'
import { given, rowsOf } from './rows.ts'

const USER = columnsOf('id name isAdmin createdAt disabledAt memoryLimit byteLimit')
const SPACE = columnsOf('id name createdAt archivedAt')
const MEMBER = columnsOf('spaceId userId role addedAt')
const KEY = columnsOf(
  'id userId spaceId parentId label scopes createdAt expiresAt lastUsedAt revokedAt hash previousHash previousUntil',
)

const AUDIT_HEAD = columnsOf('id number hash removedNumber removedHash')

interface UserRow extends Omit<User, 'isAdmin' | 'limits'> {
  isAdmin: number
  memoryLimit: number | null
  byteLimit: number | null
}
interface KeyRow extends Omit<ApiKey, 'scopes' | 'previous'> {
  scopes: string
  previousHash: string | null
  previousUntil: number | null
}

/** Everything that a transaction can ask and store. */
export function accountQueries(db: Database): Sync<AccountTx> {
  const users = rowsOf<UserRow>(db, 'users', USER)
  const spaces = rowsOf<Space>(db, 'spaces', SPACE)
  const members = rowsOf<Member>(db, 'members', MEMBER, ['spaceId', 'userId'])
  const keys = rowsOf<KeyRow>(db, 'api_keys', KEY)
  const oauth = oauthQueries(db)
  const countLiveChildren = statement<[string, string, number], { count: number }>(
    db,
    `SELECT count(*) AS count FROM api_keys WHERE user_id = ? AND space_id = ? AND parent_id IS NOT NULL
     AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
  )

  const key = (id: string): ApiKey | undefined => given(keys.get({ id }), toKey)
  const member = (spaceId: string, userId: string): Member | undefined => members.get({ spaceId, userId })

  return {
    user: (by) => given(users.get(by), toUser),
    users: () => users.all({}).map(toUser),
    space: (by) => spaces.get(by),
    spaces: () => spaces.all({}),
    member,
    members: (of) => members.all(of),
    key,
    keys: (of = {}) => keys.all(of).map(toKey),
    countLiveChildren: ({ userId, spaceId }, at) => countLiveChildren().get(userId, spaceId, at)?.count ?? 0,
    keyAccess(id): KeyAccess | undefined {
      const found = key(id)
      const user = found && users.get({ id: found.userId })
      const space = found && spaces.get({ id: found.spaceId })
      if (!user || !space) return undefined
      const parents = parentsOf(found, key)
      return { key: found, user: toUser(user), space, member: member(space.id, user.id), parents }
    },
    putUser: (user) => naming('user', user.name, () => users.put(fromUser(user))),
    putSpace: (space) => naming('space', space.name, () => spaces.put(space)),
    putMember: members.put,
    putKey: ({ previous, ...row }) =>
      keys.put({
        ...row,
        scopes: row.scopes.join(' '),
        previousHash: previous?.hash ?? null,
        previousUntil: previous?.until ?? null,
      }),
    removeUser: (id) => users.remove({ id }),
    removeSpace: (id) => spaces.remove({ id }),
    removeMember: (spaceId, userId) => members.remove({ spaceId, userId }),
    removeKey: (id) => keys.remove({ id }),
    ...oauth,
    tokenAccess(id): TokenAccess | undefined {
      const token = oauth.record(ACCESS_TOKEN, { id })
      const grant = token?.grantId ? oauth.grant(token.grantId) : undefined
      const user = grant && users.get({ id: grant.userId })
      const space = grant && spaces.get({ id: grant.spaceId })
      if (!token || !user || !space) return undefined
      return { token, grant, user: toUser(user), space, member: member(space.id, user.id) }
    },
    ...auditQueries(db),
  }
}

/** A chain of entries, as in a memory. */
function auditQueries(db: Database): Sync<Pick<AccountTx, 'auditHead' | 'audit' | 'putAudit'>> {
  const { hash: _, ...texts } = TABLES.audit
  const page = statement<[number, number], AuditEntry>(
    db,
    `SELECT ${selected('audit', texts)}, ${hexOf('hash')} AS hash FROM audit
     WHERE number > ? ORDER BY number ${limitOf()}`,
  )
  const head = statement<[], AuditHead>(
    db,
    `SELECT number, ${hexOf('hash')} AS hash, removed_number AS removedNumber,
     ${hexOf('removed_hash')} AS removedHash FROM audit_heads`,
  )
  const add = insertion(db, 'INSERT INTO audit', TABLES.audit)
  const putHead = insertion(db, 'INSERT OR REPLACE INTO audit_heads', AUDIT_HEAD)
  const remove = statement<[number]>(db, 'DELETE FROM audit WHERE number <= ?')
  return {
    auditHead: () => head().get(),
    audit: ({ after, limit }) => page().all(after, limit),
    putAudit({ head: next, add: entries = [], removeUpTo }) {
      if (removeUpTo !== undefined) remove().run(removeUpTo)
      for (const entry of entries) add({ ...entry, hash: digestBlob(entry.hash) })
      const { hash, removedHash } = next
      putHead({ ...next, id: 1, hash: digestBlob(hash), removedHash: digestBlob(removedHash) })
    },
  }
}

/** More than core makes: a file that has them in a circle must not hold up anybody. */
const MAX_PARENTS = 50

function parentsOf(key: ApiKey, find: (id: string) => ApiKey | undefined): ApiKey[] {
  const parents: ApiKey[] = []
  let next = key.parentId === null ? undefined : find(key.parentId)
  while (next && parents.length < MAX_PARENTS) {
    parents.push(next)
    next = next.parentId === null ? undefined : find(next.parentId)
  }
  return parents
}

function toUser({ isAdmin, memoryLimit, byteLimit, ...row }: UserRow): User {
  const limits = { ...limitAs('memories', memoryLimit), ...limitAs('bytes', byteLimit) }
  return { ...row, isAdmin: isAdmin !== 0, limits }
}

/** Stands for a limit that is no limit. */
const NO_LIMIT = -1

function limitAs(name: keyof LimitOverrides, stored: number | null): LimitOverrides {
  return stored === null ? {} : { [name]: stored === NO_LIMIT ? 'none' : stored }
}

function fromUser({ limits, ...user }: User): object {
  const stored = (limit: Limit | undefined): number | null => (limit === 'none' ? NO_LIMIT : (limit ?? null))
  return { ...user, memoryLimit: stored(limits.memories), byteLimit: stored(limits.bytes) }
}

function toKey({ scopes, previousHash, previousUntil, ...row }: KeyRow): ApiKey {
  const previous =
    previousHash === null || previousUntil === null ? null : { hash: previousHash, until: previousUntil }
  return { ...row, scopes: scopes.split(' ') as Scope[], previous }
}

function naming(kind: 'user' | 'space', name: string, put: () => void): void {
  try {
    put()
  } catch (error) {
    throw codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE' ? nameTaken(kind, name) : error
  }
}
