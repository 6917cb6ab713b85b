import type { Limit, LimitOverrides } from '../access/limits.ts'
import type { AccountEvent } from '../audit/event-names.ts'
import { needs } from '../errors.ts'
import { recordAccount, recordLeaving } from './audit.ts'
import { type AccountDeps, createId } from './deps.ts'
import type { User } from './model.ts'
import { checkUserName, getUser } from './names.ts'

export interface NewUser {
  name: string
  isAdmin?: boolean
}

/** A missing limit stays as it is. */
export type LimitChanges = { [Name in keyof LimitOverrides]?: Limit | 'default' }

/** The users of a server. A freed name can be given to another user, who gets none of the old keys and spaces. */
export function createUsers(deps: AccountDeps) {
  const { store, now } = deps
  const record = recordAccount(deps)

  async function create({ name, isAdmin = false }: NewUser): Promise<User> {
    checkUserName(name)
    const user: User = { id: createId(deps), name, isAdmin, createdAt: now(), disabledAt: null, limits: {} }
    await store.write(async (tx) => {
      await tx.putUser(user)
      await record(tx, 'account_created', { kind: 'user', id: user.id })
    })
    return user
  }

  function change(name: string, event: AccountEvent, change: (user: User) => User): Promise<User> {
    return store.write(async (tx) => {
      const user = change(await getUser(tx, name))
      await tx.putUser(user)
      await record(tx, event, { kind: 'user', id: user.id })
      return user
    })
  }

  return {
    create,
    list: (): Promise<User[]> => store.read((tx) => tx.users()),
    /** No key of theirs works until they are enabled again. */
    disable: (name: string): Promise<User> =>
      change(name, 'account_disabled', (user) => ({ ...user, disabledAt: user.disabledAt ?? now() })),
    enable: (name: string): Promise<User> =>
      change(name, 'account_enabled', (user) => ({ ...user, disabledAt: null })),
    find: (name: string): Promise<User> => store.read((tx) => getUser(tx, name)),
    /** Replaces limits; `default`: removes one. */
    async setLimits(name: string, limits: LimitChanges): Promise<User> {
      for (const limit of Object.values(limits)) checkLimit(limit)
      return change(name, 'account_limits_set', (user) => ({
        ...user,
        limits: changedLimits(user.limits, limits),
      }))
    },
    /** Deletes their keys and memberships too. Their documents stay in their spaces. */
    delete: (name: string): Promise<User> =>
      store.write(async (tx) => {
        const user = await getUser(tx, name)
        await recordLeaving(tx, { userId: user.id }, record)
        await tx.removeUser(user.id)
        await record(tx, 'account_deleted', { kind: 'user', id: user.id })
        return user
      }),
  }
}

function checkLimit(limit: Limit | 'default'): void {
  const isNumber = Number.isSafeInteger(limit) && (limit as number) >= 0
  needs(
    isNumber || limit === 'none' || limit === 'default',
    'a limit must be a whole number from 0, none or default',
  )
}

function changedLimits(before: LimitOverrides, changes: LimitChanges): LimitOverrides {
  const after = Object.entries({ ...before, ...changes }).filter(([, limit]) => limit !== 'default')
  return Object.fromEntries(after)
}
