import type { Limit, LimitOverrides } from '../access/limits.ts'
import type { AccountEvent } from '../audit/event-names.ts'
import { needs } from '../errors.ts'
import { recordAccount, recordLeaving } from './audit.ts'
import { type AccountDeps, createId } from './deps.ts'
import type { User } from './model.ts'
import { checkUserName, getUser } from './names.ts'
import { createHasher } from './passwords.ts'
import type { AccountTx } from './port.ts'

export interface NewUser {
  name: string
  isAdmin?: boolean
  /** To sign in with. Default: none. */
  password?: string
}

/** A missing limit stays as it is. */
export type LimitChanges = { [Name in keyof LimitOverrides]?: Limit | 'default' }

/** The users of a server. A freed name can be given to another user, who gets none of the old keys and spaces. */
export function createUsers(deps: AccountDeps) {
  const { store, now } = deps
  const record = recordAccount(deps)
  const hasher = createHasher(deps)

  async function create({ name, isAdmin = false, password }: NewUser): Promise<User> {
    checkUserName(name)
    const hash = password === undefined ? undefined : await hasher.hash(password)
    return store.write((tx) => addUser(tx, { name, isAdmin, hash }, deps))
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
    /** No key or token of theirs works until they are enabled again, and they have to sign in again. */
    disable: (name: string): Promise<User> =>
      store.write(async (tx) => {
        const user = await getUser(tx, name)
        const disabled = { ...user, disabledAt: user.disabledAt ?? now() }
        await tx.putUser(disabled)
        await tx.removeLogins({ userId: user.id })
        await record(tx, 'account_disabled', { kind: 'user', id: user.id })
        return disabled
      }),
    enable: (name: string): Promise<User> =>
      change(name, 'account_enabled', (user) => ({ ...user, disabledAt: null })),
    /** Undefined: deleted. */
    get: (id: string): Promise<User | undefined> => store.read((tx) => tx.user({ id })),
    find: (name: string): Promise<User> => store.read((tx) => getUser(tx, name)),
    /** Replaces limits; `default`: removes one. */
    async setLimits(name: string, limits: LimitChanges): Promise<User> {
      for (const limit of Object.values(limits)) checkLimit(limit)
      return change(name, 'account_limits_set', (user) => ({
        ...user,
        limits: changedLimits(user.limits, limits),
      }))
    },
    /** Deletes their keys, memberships, logins and grants too. Their documents stay in their spaces. */
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

/** Stores a new user. The first administrator ends the setup of the server. */
export async function addUser(
  tx: AccountTx,
  { name, isAdmin, hash }: { name: string; isAdmin: boolean; hash?: string | undefined },
  deps: AccountDeps,
): Promise<User> {
  const createdAt = deps.now()
  const user: User = { id: createId(deps), name, isAdmin, createdAt, disabledAt: null, limits: {} }
  await tx.putUser(user)
  if (hash !== undefined) await tx.putPassword({ userId: user.id, hash, changedAt: createdAt })
  if (isAdmin) await closeSetup(tx)
  await recordAccount(deps)(tx, 'account_created', { kind: 'user', id: user.id })
  return user
}

export async function closeSetup(tx: AccountTx): Promise<void> {
  for (const { id } of await tx.secrets('setup')) await tx.removeSecret(id)
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
