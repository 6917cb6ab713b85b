import type { WriteCaller } from '../access/principal.ts'
import { SCOPES, type Scope } from '../access/scopes.ts'
import { MemoryError, needs } from '../errors.ts'
import { type RecordAccount, recordAccount } from './audit.ts'
import { type AccountDeps, createId } from './deps.ts'
import { isLive } from './live.ts'
import type { Grant } from './model.ts'
import { clientNameOf, getSpace, getUser } from './names.ts'
import type { AccountReads, AccountTx } from './port.ts'

/** Who let which client into which space. */
export interface GrantKey {
  userId: string
  clientId: string
  spaceId: string
}

export interface NewGrant extends GrantKey {
  clientName: string
  scopes: readonly Scope[]
  /** Null: until it is revoked. */
  expiresAt: number | null
  /** For the audit. Default: the user. */
  by?: WriteCaller
}

export interface GrantEntry extends Grant {
  /** The names of its user and its space. */
  user: string
  space: string
}

/** What users let clients do. Only grants that work now are found: neither revoked nor expired. */
export function createGrants(deps: AccountDeps) {
  const { store, now } = deps
  const record = recordAccount(deps)
  const live = (grant: Grant | undefined): Grant | undefined =>
    grant && isLive(grant, now()) ? grant : undefined

  /** Replaces what was agreed before. A grant that ended begins again with its old id, and without its old tokens. */
  async function give({ by, clientName, expiresAt, ...asked }: NewGrant): Promise<Grant> {
    const { userId, clientId, spaceId } = asked
    const scopes = checkScopes(asked.scopes)
    needs(expiresAt === null || expiresAt > now(), 'access expires in the future, or never')
    return store.write(async (tx) => {
      await refuseStranger(tx, asked)
      const [old] = await tx.grants({ userId, clientId, spaceId })
      const isNew = !live(old)
      if (old && isNew) await tx.removeRecords({ grantId: old.id })
      const grant: Grant = {
        ...{ id: old?.id ?? createId(deps), userId, clientId, spaceId },
        ...{ clientName: clientNameOf(clientName), scopes, expiresAt, revokedAt: null },
        createdAt: old && !isNew ? old.createdAt : now(),
        lastUsedAt: old?.lastUsedAt ?? null,
      }
      await tx.putGrant(grant)
      const caller = by ?? { userId, principalId: '', address: '' }
      await record(tx, 'grant_given', { kind: 'grant', id: grant.id }, caller)
      return grant
    })
  }

  async function list(of: { user?: string; space?: string; clientId?: string } = {}): Promise<GrantEntry[]> {
    const { user, space, clientId } = of
    return store.read(async (tx) => {
      const grants = await tx.grants({
        ...(user === undefined ? {} : { userId: (await getUser(tx, user)).id }),
        ...(space === undefined ? {} : { spaceId: (await getSpace(tx, space)).id }),
        ...(clientId === undefined ? {} : { clientId }),
      })
      const users = new Map((await tx.users()).map(({ id, name }) => [id, name]))
      const spaces = new Map((await tx.spaces()).map(({ id, name }) => [id, name]))
      return grants.filter(live).map((grant) => ({
        ...grant,
        user: users.get(grant.userId) ?? grant.userId,
        space: spaces.get(grant.spaceId) ?? grant.spaceId,
      }))
    })
  }

  return {
    give,
    list,
    find: (of: GrantKey): Promise<Grant | undefined> =>
      store.read(async (tx) => live((await tx.grants(keyOf(of)))[0])),
    get: (id: string): Promise<GrantEntry | undefined> =>
      store.read(async (tx) => {
        const grant = live(await tx.grant(id))
        const user = grant && (await tx.user({ id: grant.userId }))
        const space = grant && (await tx.space({ id: grant.spaceId }))
        return user && space && { ...grant, user: user.name, space: space.name }
      }),
    /** With all its tokens. False: there was none, or it was revoked before. */
    revoke: (id: string, by?: WriteCaller): Promise<boolean> =>
      store.write(async (tx) => {
        const grant = await tx.grant(id)
        const revoked = await revokeGrants(tx, grant ? [grant] : [], { now: now(), record, by })
        return revoked > 0
      }),
  }
}

/** Revokes grants and removes their tokens. Returns how many were not revoked before. */
export async function revokeGrants(
  tx: AccountTx,
  grants: readonly Grant[],
  { now, record, by }: { now: number; record: RecordAccount; by?: WriteCaller | undefined },
): Promise<number> {
  const given = grants.filter(({ revokedAt }) => revokedAt === null)
  for (const grant of given) {
    await tx.putGrant({ ...grant, revokedAt: now })
    await tx.removeRecords({ grantId: grant.id })
    await record(tx, 'grant_revoked', { kind: 'grant', id: grant.id }, by)
  }
  return given.length
}

/** A different user than the one that a client belongs to. The texts of these are part of the contract. */
export function notItsUser(): MemoryError {
  return new MemoryError('FORBIDDEN', 'This client is already associated with a different user account.')
}

/** What was true when the person was asked may no longer be. */
async function refuseStranger(tx: AccountReads, { userId, clientId, spaceId }: GrantKey): Promise<void> {
  const user = await tx.user({ id: userId })
  const space = await tx.space({ id: spaceId })
  const isMember = (await tx.member(spaceId, userId)) !== undefined
  if (user?.disabledAt !== null || space?.archivedAt !== null || !isMember)
    throw new MemoryError('FORBIDDEN', 'this user has no access to this space; ask who runs the server')
  const client = await tx.client(clientId)
  if (client && client.userId !== null && client.userId !== userId) throw notItsUser()
}

/** Nobody administers a space through a client. */
function checkScopes(scopes: readonly Scope[]): Scope[] {
  const grantable = SCOPES.filter((scope) => scope !== 'memories:admin')
  needs(
    scopes.length > 0 && scopes.every((scope) => (grantable as Scope[]).includes(scope)),
    `a client can be granted ${grantable.join(' and ')}`,
  )
  return grantable.filter((scope) => scopes.includes(scope))
}

function keyOf({ userId, clientId, spaceId }: GrantKey): GrantKey {
  return { userId, clientId, spaceId }
}
