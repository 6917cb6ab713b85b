import { randomBase62 } from '../../util/text/base62.ts'
import { DAY_MS } from '../../util/text/duration.ts'
import { MemoryError } from '../errors.ts'
import { recordAccount } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import type { Expired } from './expired.ts'
import { isExpired } from './live.ts'
import type { Login, User } from './model.ts'

const LIFE_MS = 30 * DAY_MS
/** More than 256 random bits. */
const COOKIE_LENGTH = 44

/** Browsers in which users are signed in. */
export function createLogins(deps: AccountDeps, expired: Expired) {
  const { store, now, randomBytes, sha256 } = deps
  const record = recordAccount(deps)

  /** The cookie is for the browser alone: it is not stored. `address`: of the connection, for the audit. */
  async function create(userId: string, address = ''): Promise<{ cookie: string; login: Login }> {
    const cookie = randomBase62(COOKIE_LENGTH, randomBytes)
    const login = { id: sha256(cookie), userId, createdAt: now(), expiresAt: now() + LIFE_MS }
    await store.write(async (tx) => {
      const user = await tx.user({ id: userId })
      if (user?.disabledAt !== null) throw new MemoryError('FORBIDDEN', 'this user cannot sign in')
      await expired.remove(tx)
      await tx.putLogin(login)
      await record(tx, 'login_succeeded', { kind: 'user', id: userId }, { userId, principalId: '', address })
    })
    return { cookie, login }
  }

  /** Undefined: nobody is signed in with it now. */
  function find(cookie: string): Promise<{ login: Login; user: User } | undefined> {
    return store.read(async (tx) => {
      const login = await tx.login(sha256(cookie))
      const user = login && !isExpired(login, now()) ? await tx.user({ id: login.userId }) : undefined
      return login && user?.disabledAt === null ? { login, user } : undefined
    })
  }

  return {
    create,
    find,
    end: (cookie: string): Promise<void> => store.write((tx) => tx.removeLogins({ id: sha256(cookie) })),
    endAll: (userId: string): Promise<void> => store.write((tx) => tx.removeLogins({ userId })),
  }
}
