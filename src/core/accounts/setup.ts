import { randomBase62 } from '../../util/text/base62.ts'
import { MemoryError } from '../errors.ts'
import { recordAccount } from './audit.ts'
import { type AccountDeps, createId } from './deps.ts'
import { isExpired } from './live.ts'
import type { User } from './model.ts'
import { checkUserName } from './names.ts'
import { createHasher } from './passwords.ts'
import { type AccountReads, type AccountTx, nameTaken } from './port.ts'
import { addUser, closeSetup } from './users.ts'

export interface NewAdmin {
  name: string
  password: string
}

const LIFE_MS = 30 * 60_000
/** 190 random bits. */
const TOKEN_LENGTH = 32

/** How the first administrator of a server is made: by whoever has the token that the server printed. */
export function createSetup(deps: AccountDeps) {
  const { store, now, randomBytes, sha256 } = deps
  const record = recordAccount(deps)
  const hasher = createHasher(deps)

  /** A token for `complete`, in place of an older one. Undefined: there is an administrator. */
  function begin(): Promise<string | undefined> {
    const token = randomBase62(TOKEN_LENGTH, randomBytes)
    return store.write(async (tx) => {
      await closeSetup(tx)
      if (await hasAdmin(tx)) return undefined
      const times = { createdAt: now(), expiresAt: now() + LIFE_MS }
      await tx.putSecret({ id: createId(deps), kind: 'setup', value: sha256(token), ...times })
      return token
    })
  }

  function isOpen(token: string): Promise<boolean> {
    return store.read((tx) => opens(tx, token))
  }

  /** Whether there is a token that works. */
  function isWaiting(): Promise<boolean> {
    return store.read(async (tx) => {
      const tokens = await tx.secrets('setup')
      return tokens.some((secret) => !isExpired(secret, now())) && !(await hasAdmin(tx))
    })
  }

  async function opens(tx: AccountReads, token: string): Promise<boolean> {
    if (await hasAdmin(tx)) return false
    const hash = sha256(token)
    return (await tx.secrets('setup')).some((secret) => secret.value === hash && !isExpired(secret, now()))
  }

  /** Makes the administrator. The token works once. */
  async function complete(token: string, admin: NewAdmin, address = ''): Promise<User> {
    const refuseClosed = async (tx: AccountReads): Promise<void> => {
      if (await opens(tx, token)) return
      throw new MemoryError(
        'NOT_FOUND',
        'this setup link was used or has expired; restart the server for another one',
      )
    }
    return createFirst(admin, refuseClosed, async (tx, { id }) => {
      const by = { userId: id, principalId: '', address }
      await record(tx, 'setup_completed', { kind: 'user', id }, by)
    })
  }

  /** For the operator, who needs no token. */
  function createAdmin(admin: NewAdmin): Promise<User> {
    return createFirst(admin, async (tx) => {
      if (!(await hasAdmin(tx))) return
      throw new MemoryError(
        'CONFLICT',
        'there is an administrator already; list the users with `remindb users list`, and give one a new password with `remindb users reset NAME`',
      )
    })
  }

  async function createFirst(
    { name, password }: NewAdmin,
    refuse: (tx: AccountReads) => Promise<void>,
    also: (tx: AccountTx, admin: User) => Promise<void> = async () => undefined,
  ): Promise<User> {
    checkUserName(name)
    // First: hashing is slow, and must not be what a stranger can ask for.
    await store.read(async (tx) => {
      await refuse(tx)
      if (await tx.user({ name })) throw nameTaken('user', name)
    })
    const hash = await hasher.hash(password)
    return store.write(async (tx) => {
      await refuse(tx)
      const admin = await addUser(tx, { name, isAdmin: true, hash }, deps)
      await ownUnowned(tx, admin)
      await also(tx, admin)
      return admin
    })
  }

  /** Spaces without members are nobody's: the first person to sign in can use them at once. */
  async function ownUnowned(tx: AccountTx, { id: userId }: User): Promise<void> {
    for (const { id: spaceId } of await tx.spaces()) {
      if ((await tx.members({ spaceId })).length > 0) continue
      await tx.putMember({ spaceId, userId, role: 'owner', addedAt: now() })
      await record(tx, 'member_added', { kind: 'member', id: `${spaceId} ${userId} owner` })
    }
  }

  return { begin, isOpen, isWaiting, complete, createAdmin }
}

async function hasAdmin(tx: AccountReads): Promise<boolean> {
  return (await tx.users()).some(({ isAdmin }) => isAdmin)
}
