import { type AccountDeps, createId } from './deps.ts'
import type { User } from './model.ts'
import { checkUserName, getUser } from './names.ts'

export interface NewUser {
  name: string
  isAdmin?: boolean
}

/** The users of a server. A freed name can be given to another user, who gets none of the old keys and spaces. */
export function createUsers(deps: AccountDeps) {
  const { store, now } = deps

  async function create({ name, isAdmin = false }: NewUser): Promise<User> {
    checkUserName(name)
    const user: User = { id: createId(deps), name, isAdmin, createdAt: now(), disabledAt: null }
    await store.write((tx) => tx.putUser(user))
    return user
  }

  function change(name: string, change: (user: User) => User): Promise<User> {
    return store.write(async (tx) => {
      const user = change(await getUser(tx, name))
      await tx.putUser(user)
      return user
    })
  }

  return {
    create,
    list: (): Promise<User[]> => store.read((tx) => tx.users()),
    /** No key of theirs works until they are enabled again. */
    disable: (name: string): Promise<User> =>
      change(name, (user) => ({ ...user, disabledAt: user.disabledAt ?? now() })),
    enable: (name: string): Promise<User> => change(name, (user) => ({ ...user, disabledAt: null })),
    /** Deletes their keys and memberships too. Their documents stay in their spaces. */
    delete: (name: string): Promise<User> =>
      store.write(async (tx) => {
        const user = await getUser(tx, name)
        await tx.removeUser(user.id)
        return user
      }),
  }
}
