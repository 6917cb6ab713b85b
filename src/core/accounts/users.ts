import { type AccountEvent, recordAccount } from './audit.ts'
import { type AccountDeps, createId } from './deps.ts'
import type { User } from './model.ts'
import { checkUserName, getUser } from './names.ts'

export interface NewUser {
  name: string
  isAdmin?: boolean
}

/** The users of a server. A name that is free again can be given to somebody else, who has none of its keys and spaces. */
export function createUsers(deps: AccountDeps) {
  const { store, now } = deps
  const record = recordAccount(deps)

  async function create({ name, isAdmin = false }: NewUser): Promise<User> {
    checkUserName(name)
    const user: User = { id: createId(deps), name, isAdmin, createdAt: now(), disabledAt: null }
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
    /** Their keys and memberships go with them. What they stored stays in its spaces. */
    delete: (name: string): Promise<User> =>
      store.write(async (tx) => {
        const user = await getUser(tx, name)
        await tx.removeUser(user.id)
        await record(tx, 'account_deleted', { kind: 'user', id: user.id })
        return user
      }),
  }
}
