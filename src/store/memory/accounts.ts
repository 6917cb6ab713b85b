import { isLive } from '../../core/accounts/live.ts'
import type { ApiKey, Member, Space, User } from '../../core/accounts/model.ts'
import { ACCESS_TOKEN, type AccountStore, type AccountTx, nameTaken } from '../../core/accounts/port.ts'
import { MemoryError } from '../../core/errors.ts'
import type { AuditEntry, AuditHead } from '../../core/port/audit.ts'
import { closedError } from '../call-errors.ts'
import { inTx, type Sync, txMethods } from '../tx.ts'
import { createTurns } from '../write-queue.ts'
import { matching, type OAuthState, oauthQueries } from './oauth-accounts.ts'

interface State extends OAuthState {
  users: Map<string, User>
  spaces: Map<string, Space>
  members: Map<string, Member>
  keys: Map<string, ApiKey>
  audit: Map<number, AuditEntry>
  auditHead: Map<'head', AuditHead>
}

/** Accounts in memory, for tests. A state is never changed: a write makes the next one. */
export function openAccountsInMemory(): AccountStore {
  let state = emptyState()
  const writes = createTurns()
  const watchers = new Set<() => void>()
  let isClosed = false

  async function run<T>(on: State, fn: (tx: AccountTx) => Promise<T>): Promise<T> {
    if (isClosed) throw closedError()
    return inTx(txMethods(queries(on)), fn)
  }

  return {
    read: (fn) => run(state, fn),
    write: (fn) =>
      writes.add(async () => {
        const next = copyOf(state)
        const result = await run(next, fn)
        state = next
        for (const watcher of [...watchers]) void (async () => watcher())().catch(() => undefined)
        return result
      }) as ReturnType<typeof fn>,
    watch(onChange) {
      const watcher = (): void => onChange()
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    backup: () =>
      Promise.reject(new MemoryError('INVALID_INPUT', 'accounts in memory cannot be copied to a file')),
    async close() {
      if (isClosed) return
      await writes.close()
      watchers.clear()
      isClosed = true
    },
  }
}

function emptyState(): State {
  return {
    users: new Map(),
    spaces: new Map(),
    members: new Map(),
    keys: new Map(),
    audit: new Map(),
    auditHead: new Map(),
    passwords: new Map(),
    logins: new Map(),
    clients: new Map(),
    grants: new Map(),
    records: new Map(),
    secrets: new Map(),
  }
}

function copyOf(state: State): State {
  const copies = Object.entries(state).map(([name, rows]) => [name, new Map(rows)])
  return Object.fromEntries(copies)
}

function queries(state: State): Sync<AccountTx> {
  const { users, spaces, members, keys, audit, auditHead } = state
  const { removeOf: removeOAuthOf, ...oauth } = oauthQueries(state, state)
  const find = <T extends { id: string; name: string }>(rows: Map<string, T>, by: object): T | undefined =>
    'id' in by ? rows.get(by.id as string) : matching(rows, by)[0]
  const key = (id: string): ApiKey | undefined => keys.get(id)
  const member = (spaceId: string, userId: string) => members.get(memberId(spaceId, userId))

  function parentsOf({ parentId }: ApiKey): ApiKey[] {
    const parent = parentId === null ? undefined : keys.get(parentId)
    return parent ? [parent, ...parentsOf(parent)] : []
  }

  function removeKeys(of: Partial<ApiKey>): void {
    for (const { id } of matching(keys, of)) {
      keys.delete(id)
      removeKeys({ parentId: id })
    }
  }

  function removeOf(of: { userId: string } | { spaceId: string }): void {
    for (const { spaceId, userId } of matching(members, of)) members.delete(memberId(spaceId, userId))
    removeKeys(of)
    removeOAuthOf(of)
  }

  function refuseStrangers({ userId, spaceId }: { userId: string; spaceId: string }): void {
    if (!users.has(userId) || !spaces.has(spaceId)) throw new Error('no such user or space')
  }

  return {
    user: (by) => find(users, by),
    users: () => [...users.values()],
    space: (by) => find(spaces, by),
    spaces: () => [...spaces.values()],
    member,
    members: (of) => matching(members, of),
    key,
    keys: (of = {}) => matching(keys, of),
    countLiveChildren: (of, at) =>
      matching(keys, of).filter((one) => one.parentId !== null && isLive(one, at)).length,
    keyAccess(id) {
      const found = keys.get(id)
      const user = found && users.get(found.userId)
      const space = found && spaces.get(found.spaceId)
      if (!user || !space) return undefined
      return { key: found, user, space, member: member(space.id, user.id), parents: parentsOf(found) }
    },
    putUser: (user) => putNamed('user', users, user),
    putSpace: (space) => putNamed('space', spaces, space),
    putMember(row) {
      refuseStrangers(row)
      members.set(memberId(row.spaceId, row.userId), row)
    },
    putKey(row) {
      refuseStrangers(row)
      if (row.parentId !== null && !keys.has(row.parentId)) throw new Error('no such parent')
      keys.set(row.id, row)
    },
    removeUser(userId) {
      users.delete(userId)
      removeOf({ userId })
    },
    removeSpace(spaceId) {
      spaces.delete(spaceId)
      removeOf({ spaceId })
    },
    removeMember: (spaceId, userId) => void members.delete(memberId(spaceId, userId)),
    removeKey: (id) => removeKeys({ id }),
    ...oauth,
    tokenAccess(id) {
      const token = oauth.record(ACCESS_TOKEN, { id })
      const grant = token?.grantId ? oauth.grant(token.grantId) : undefined
      const user = grant && users.get(grant.userId)
      const space = grant && spaces.get(grant.spaceId)
      if (!token || !user || !space) return undefined
      return { token, grant, user, space, member: member(space.id, user.id) }
    },
    auditHead: () => auditHead.get('head'),
    audit: ({ after, limit }) => [...audit.values()].filter(({ number }) => number > after).slice(0, limit),
    putAudit({ head, add = [], removeUpTo = 0 }) {
      for (const number of [...audit.keys()]) if (number <= removeUpTo) audit.delete(number)
      for (const entry of add) audit.set(entry.number, entry)
      auditHead.set('head', head)
    },
  }
}

function putNamed<T extends { id: string; name: string }>(
  kind: 'user' | 'space',
  rows: Map<string, T>,
  row: T,
): void {
  const [other] = matching(rows, { name: row.name } as Partial<T>)
  if (other && other.id !== row.id) throw nameTaken(kind, row.name)
  rows.set(row.id, row)
}

function memberId(spaceId: string, userId: string): string {
  return `${spaceId} ${userId}`
}
