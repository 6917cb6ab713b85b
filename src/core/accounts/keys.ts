import { randomBase62 } from '../../util/text/base62.ts'
import { DAY_MS } from '../../util/text/duration.ts'
import type { WriteCaller } from '../access/principal.ts'
import { coversScope, isScope, ROLES, SCOPES, type Scope, smallestRole } from '../access/scopes.ts'
import { MemoryError, needs } from '../errors.ts'
import { type RecordAccount, recordAccount } from './audit.ts'
import { principalOf } from './authenticate.ts'
import type { AccountDeps } from './deps.ts'
import { isLive } from './live.ts'
import type { ApiKey } from './model.ts'
import { getSpace, getUser } from './names.ts'
import { createOldKeys } from './old-keys.ts'
import type { AccountReads, AccountTx } from './port.ts'
import { createToken, KEY_ID_LENGTH } from './token.ts'

export interface KeyGrant {
  scopes: readonly Scope[]
  /** Null: never. */
  expiresAt?: number | null
  label?: string
}

export interface NewKey extends KeyGrant {
  user: string
  space: string
}

/** The key itself: shown once, never stored. */
export interface CreatedKey {
  id: string
  key: string
}

/** The public part of a key. */
export type ShownKey = Omit<ApiKey, 'hash' | 'previous'>

export interface KeyEntry extends ShownKey {
  /** The names of its user and its space. */
  user: string
  space: string
}

const MAX_LABEL = 100
const MAX_LIFE_MS = 36_525 * DAY_MS
const MAX_GRACE_DAYS = 365
/** The last time that a date can have. */
const MAX_TIME = 8.64e15
/** A child of a child of …: each is looked at with every request. */
const MAX_PARENTS = 8
/** Of one user in one space, that work at the same time: one holder must not fill the database for all. */
const MAX_CHILDREN = 1000

export function createKeys(deps: AccountDeps) {
  const { store, now, randomBytes, sha256 } = deps
  const oldKeys = createOldKeys(deps)
  const record = recordAccount(deps)

  /** Adds the user to the space with the smallest role that fits; a member with a smaller role is raised to it. */
  async function create({ user, space, ...grant }: NewKey): Promise<CreatedKey> {
    const asked = checkGrant(grant, now())
    return store.write(async (tx) => {
      const { id: userId } = await getUser(tx, user)
      const { id: spaceId } = await getSpace(tx, space)
      await giveRole(tx, { userId, spaceId, scopes: asked.scopes })
      return addKey(tx, { ...asked, userId, spaceId, parentId: null })
    })
  }

  /**
   * For the holder of a key: one with no more rights than theirs now, and no longer life. `secretHash`: of the secret that the holder
   * has, which may have been replaced; default: the one that was made last. `by`: for the audit.
   */
  async function createChild(
    parentId: string,
    grant: KeyGrant,
    { secretHash, by }: { secretHash?: string; by?: WriteCaller } = {},
  ): Promise<CreatedKey> {
    const asked = checkGrant(grant, now())
    return store.write(async (tx) => {
      const access = await tx.keyAccess(parentId)
      if (!access) throw noKey(parentId)
      const { key: parent, parents } = access
      const maker = principalOf(access, now(), secretHash ?? parent.hash)
      if (!maker) throw new MemoryError('INVALID_INPUT', `the key "${parentId}" no longer works`)
      const missing = asked.scopes.filter((scope) => !coversScope(maker.scopes, scope))
      needs(missing.length === 0, `the key "${parentId}" itself does not have ${missing.join(', ')}`)
      const expiresAt = grant.expiresAt === undefined ? maker.until : asked.expiresAt
      const isTooLong = maker.until !== null && (expiresAt === null || expiresAt > maker.until)
      needs(
        !isTooLong,
        `the key "${parentId}" itself expires earlier, or its secret was replaced; choose a shorter life`,
      )
      await refuseTooMany(tx, parent, parents.length + 1)
      const { userId, spaceId } = parent
      return addKey(tx, { ...asked, expiresAt, userId, spaceId, parentId }, by)
    })
  }

  async function addKey(
    tx: AccountTx,
    of: Pick<ApiKey, 'userId' | 'spaceId' | 'parentId' | 'label' | 'scopes' | 'expiresAt'>,
    by?: WriteCaller,
  ): Promise<CreatedKey> {
    await oldKeys.remove(tx)
    const id = await freeId(tx)
    const key = createToken(id, randomBytes)
    const times = { createdAt: now(), lastUsedAt: null, revokedAt: null }
    await tx.putKey({ id, ...of, ...times, hash: sha256(key), previous: null })
    await record(tx, 'key_created', { kind: 'key', id }, by)
    return { id, key }
  }

  async function freeId(tx: AccountReads): Promise<string> {
    for (;;) {
      const id = randomBase62(KEY_ID_LENGTH, randomBytes)
      if (!(await tx.key(id))) return id
    }
  }

  async function giveRole(
    tx: AccountTx,
    { userId, spaceId, scopes }: Pick<ApiKey, 'userId' | 'spaceId' | 'scopes'>,
  ): Promise<void> {
    const member = await tx.member(spaceId, userId)
    const role = smallestRole(scopes)
    if (member && coversScope([ROLES[member.role]], ROLES[role])) return
    await tx.putMember({ spaceId, userId, role, addedAt: member?.addedAt ?? now() })
    await record(tx, 'member_added', { kind: 'member', id: `${spaceId} ${userId} ${role}` })
  }

  async function refuseTooMany(
    tx: AccountReads,
    { userId, spaceId }: ApiKey,
    parents: number,
  ): Promise<void> {
    if (parents > MAX_PARENTS)
      throw new MemoryError(
        'LIMIT_EXCEEDED',
        `a key has at most ${MAX_PARENTS} above it; make this one with a key nearer to the first`,
      )
    if ((await tx.countLiveChildren({ userId, spaceId }, now())) >= MAX_CHILDREN)
      throw new MemoryError(
        'LIMIT_EXCEEDED',
        `keys of this user made ${MAX_CHILDREN} that work in this space; revoke some`,
      )
  }

  function list({ user, space }: { user?: string; space?: string } = {}): Promise<KeyEntry[]> {
    return store.read(async (tx) => {
      const of = {
        ...(user === undefined ? {} : { userId: (await getUser(tx, user)).id }),
        ...(space === undefined ? {} : { spaceId: (await getSpace(tx, space)).id }),
      }
      const users = new Map((await tx.users()).map(({ id, name }) => [id, name]))
      const spaces = new Map((await tx.spaces()).map(({ id, name }) => [id, name]))
      return (await tx.keys(of)).map((key) => ({
        ...shown(key),
        user: users.get(key.userId) ?? key.userId,
        space: spaces.get(key.spaceId) ?? key.spaceId,
      }))
    })
  }

  /** Those that the holder of this key made with it. */
  function listMadeBy(parentId: string): Promise<ShownKey[]> {
    return store.read(async (tx) => (await tx.keys({ parentId })).map(shown))
  }

  /** Revokes a key and every key below it. Returns the ids that this call revoked. */
  function revoke(id: string, by?: WriteCaller): Promise<string[]> {
    return store.write(async (tx) => revokeKeys(tx, [await getKey(tx, id)], { now: now(), record, by }))
  }

  /** Replaces the secret of a key: its id, its rights and its documents stay. The old secret works for `graceMs`. */
  async function rotate(id: string, { graceMs = 0 }: { graceMs?: number } = {}): Promise<CreatedKey> {
    needs(
      Number.isSafeInteger(graceMs) && graceMs >= 0 && graceMs <= MAX_GRACE_DAYS * DAY_MS,
      `the old secret of a key still works for at most ${MAX_GRACE_DAYS} days`,
    )
    return store.write(async (tx) => {
      const old = await getKey(tx, id)
      needs(isLive(old, now()), `the key "${id}" was revoked or has expired; create another`)
      const key = createToken(id, randomBytes)
      const previous = { hash: old.hash, until: now() + graceMs }
      await tx.putKey({ ...old, hash: sha256(key), previous })
      await record(tx, 'key_rotated', { kind: 'key', id })
      return { id, key }
    })
  }

  return { create, createChild, list, listMadeBy, revoke, rotate }
}

/** Revokes keys with every key below them. Returns the ids that were not revoked before. */
export async function revokeKeys(
  tx: AccountTx,
  keys: readonly ApiKey[],
  { now, record, by }: { now: number; record: RecordAccount; by?: WriteCaller | undefined },
): Promise<string[]> {
  const found = new Map(keys.map((key) => [key.id, key]))
  // The set grows during the walk; a key already in it is not walked again.
  for (const { id } of found.values())
    for (const child of await tx.keys({ parentId: id })) found.set(child.id, child)
  const working = [...found.values()].filter(({ revokedAt }) => revokedAt === null)
  for (const key of working) {
    await tx.putKey({ ...key, revokedAt: now })
    await record(tx, 'key_revoked', { kind: 'key', id: key.id }, by)
  }
  return working.map(({ id }) => id)
}

/** An end that no date has, which earlier versions stored, must not prevent listing the others. */
function shown({ hash: _hash, previous: _previous, ...key }: ApiKey): ShownKey {
  return { ...key, expiresAt: key.expiresAt === null ? null : Math.min(key.expiresAt, MAX_TIME) }
}

async function getKey(tx: AccountReads, id: string): Promise<ApiKey> {
  const key = await tx.key(id)
  if (key) return key
  throw noKey(id)
}

function noKey(id: string): MemoryError {
  return new MemoryError('NOT_FOUND', `there is no key "${id}"; list them with \`remindb keys list\``)
}

function checkGrant(
  { scopes, expiresAt = null, label = '' }: KeyGrant,
  now: number,
): Required<KeyGrant> & { expiresAt: number | null } {
  needs(
    scopes.length > 0 && scopes.every(isScope),
    `the scopes of a key are one or more of ${SCOPES.join(', ')}`,
  )
  needs(
    expiresAt === null || (Number.isSafeInteger(expiresAt) && expiresAt > now),
    'a key expires in the future, or never',
  )
  needs(expiresAt === null || expiresAt - now <= MAX_LIFE_MS, 'a key expires within 100 years, or never')
  needs(
    label.length <= MAX_LABEL && !/\p{Cc}/u.test(label),
    `a label has at most ${MAX_LABEL} characters, on one line`,
  )
  return { scopes: SCOPES.filter((scope) => scopes.includes(scope)), expiresAt, label }
}
