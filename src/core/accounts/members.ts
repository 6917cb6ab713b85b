import type { Role } from '../access/scopes.ts'
import { isRole, ROLES } from '../access/scopes.ts'
import { MemoryError, needs } from '../errors.ts'
import { recordAccount } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { revokeGrants } from './grants.ts'
import { revokeKeys } from './keys.ts'
import type { Space } from './model.ts'
import { getSpace, getUser } from './names.ts'

export interface MemberName {
  user: string
  space: string
}

export interface MemberEntry {
  /** Their name. */
  user: string
  userId: string
  role: Role
  addedAt: number
}

/**
 * Who belongs to which space. A space may have no owner, as a new one does: the operator can always add
 * one, so the last owner is free to leave.
 */
export function createMembers(deps: AccountDeps) {
  const { store, now } = deps
  const record = recordAccount(deps)
  return {
    /** Replaces the role of an existing member. */
    async add({ user, space, role }: MemberName & { role: Role }): Promise<MemberEntry> {
      needs(isRole(role), `a role is ${Object.keys(ROLES).join(', ')}`)
      return store.write(async (tx) => {
        const { id: userId } = await getUser(tx, user)
        const { id: spaceId } = await getSpace(tx, space)
        const addedAt = (await tx.member(spaceId, userId))?.addedAt ?? now()
        await tx.putMember({ spaceId, userId, role, addedAt })
        await record(tx, 'member_added', { kind: 'member', id: `${spaceId} ${userId} ${role}` })
        return { user, userId, role, addedAt }
      })
    },

    list({ space }: { space: string }): Promise<MemberEntry[]> {
      return store.read(async (tx) => {
        const { id: spaceId } = await getSpace(tx, space)
        const names = new Map((await tx.users()).map(({ id, name }) => [id, name]))
        const members = await tx.members({ spaceId })
        return members.map(({ userId, role, addedAt }) => ({
          user: names.get(userId) ?? userId,
          userId,
          role,
          addedAt,
        }))
      })
    },

    /** The spaces that a user is a member of, in the order in which they were created. */
    spacesOf(userId: string): Promise<(Space & { role: Role })[]> {
      return store.read(async (tx) => {
        const roles = new Map((await tx.members({ userId })).map(({ spaceId, role }) => [spaceId, role]))
        return (await tx.spaces()).flatMap((space) => {
          const role = roles.get(space.id)
          return role === undefined ? [] : [{ ...space, role }]
        })
      })
    },

    /** Also revokes their keys and grants for this space: a member who is added again gets none of them back. */
    remove({ user, space }: MemberName): Promise<void> {
      return store.write(async (tx) => {
        const { id: userId } = await getUser(tx, user)
        const { id: spaceId } = await getSpace(tx, space)
        if (!(await tx.member(spaceId, userId)))
          throw new MemoryError(
            'NOT_FOUND',
            `"${user}" is not a member of the space "${space}"; list them with \`remindb members list\``,
          )
        await tx.removeMember(spaceId, userId)
        await record(tx, 'member_removed', { kind: 'member', id: `${spaceId} ${userId}` })
        await revokeKeys(tx, await tx.keys({ spaceId, userId }), { now: now(), record })
        await revokeGrants(tx, await tx.grants({ spaceId, userId }), { now: now(), record })
      })
    },
  }
}
