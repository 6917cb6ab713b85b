import type { Role } from '../access/scopes.ts'
import { isRole, ROLES } from '../access/scopes.ts'
import { MemoryError, needs } from '../errors.ts'
import { recordAccount } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { revokeKeys } from './keys.ts'
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
 * Who belongs to which space. A space may be without an owner, as it is when it was made: whoever runs the server can always add
 * one, and nobody has to keep access because they were the last.
 */
export function createMembers(deps: AccountDeps) {
  const { store, now } = deps
  const record = recordAccount(deps)
  return {
    /** Gives a member who is there already this role instead. */
    async add({ user, space, role }: MemberName & { role: Role }): Promise<MemberEntry> {
      needs(isRole(role), `a role is ${Object.keys(ROLES).join(', ')}`)
      return store.write(async (tx) => {
        const { id: userId } = await getUser(tx, user)
        const { id: spaceId } = await getSpace(tx, space)
        const addedAt = (await tx.member(spaceId, userId))?.addedAt ?? now()
        await tx.putMember({ spaceId, userId, role, addedAt })
        await record(tx, 'member_added', { kind: 'member', id: `${spaceId} ${userId}` })
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

    /** Revokes their keys of this space too: who is added again later gets none of the old ones back. */
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
      })
    },
  }
}
