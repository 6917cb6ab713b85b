import { randomBase62 } from '../../util/text/base62.ts'
import { decodeBase64Url, encodeBase64Url } from '../../util/text/base64.ts'
import { isSameSecret } from '../../util/text/same-secret.ts'
import type { WriteCaller } from '../access/principal.ts'
import { needs } from '../errors.ts'
import { recordAccount } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import type { User } from './model.ts'
import { getUser } from './names.ts'

/** The cost of the hash: the runtime's `scrypt` has to agree. */
export const SCRYPT_COST = { N: 2 ** 16, r: 8, p: 1 }
export const HASH_BYTES = 32
const SALT_BYTES = 16
const PREFIX = `scrypt$${SCRYPT_COST.N}$${SCRYPT_COST.r}$${SCRYPT_COST.p}`
const MIN_CHARACTERS = 10
const MAX_BYTES = 1024
const GENERATED_LENGTH = 20

/** Checks a new password. No rules on its characters: they make passwords that are hard to remember and easy to guess. */
function checkPassword(password: string): void {
  needs(
    [...normalized(password)].length >= MIN_CHARACTERS,
    `a password has at least ${MIN_CHARACTERS} characters; several words in a row are easy to remember`,
  )
  needs(!isTooLong(password), `a password has at most ${MAX_BYTES} bytes`)
}

/** Hashes in the form in which they are stored: `scrypt$N$r$p$salt$hash`. */
export function createHasher({
  scrypt = noScrypt,
  randomBytes,
}: Pick<AccountDeps, 'scrypt' | 'randomBytes'>) {
  /** Throws for a password that is not allowed. */
  async function hash(password: string): Promise<string> {
    checkPassword(password)
    return hashWith(password, randomBytes(SALT_BYTES))
  }

  /** Takes as long where there is nothing to compare with. */
  async function matches(password: string, stored: string | undefined): Promise<boolean> {
    const salt = stored?.startsWith(`${PREFIX}$`) ? stored.split('$')[4] : undefined
    const computed = await hashWith(password, salt ? decodeBase64Url(salt) : new Uint8Array(SALT_BYTES))
    return isSameSecret(computed, stored ?? '')
  }

  async function hashWith(password: string, salt: Uint8Array): Promise<string> {
    const hash = await scrypt(normalized(password), salt)
    return `${PREFIX}$${encodeBase64Url(salt)}$${encodeBase64Url(hash)}`
  }

  return { hash, matches }
}

/** How people prove who they are. */
export function createPasswords(deps: AccountDeps) {
  const { store, now, randomBytes } = deps
  const record = recordAccount(deps)
  const hasher = createHasher(deps)

  /** Ends all logins of the user. */
  async function set(name: string, password: string, by?: WriteCaller): Promise<User> {
    // Before the work: an unknown user is the more likely mistake.
    await store.read((tx) => getUser(tx, name))
    const hash = await hasher.hash(password)
    return store.write(async (tx) => {
      const user = await getUser(tx, name)
      await tx.putPassword({ userId: user.id, hash, changedAt: now() })
      await tx.removeLogins({ userId: user.id })
      await record(tx, 'password_set', { kind: 'user', id: user.id }, by)
      return user
    })
  }

  /**
   * The user, if it is enabled and this is its password. An unknown user costs the same time as a wrong password. `address`: of
   * the connection, for the audit.
   */
  async function check(name: string, password: string, address = ''): Promise<User | undefined> {
    if (isTooLong(password)) return undefined
    const before = await find(name)
    const isRight = await hasher.matches(password, before?.hash)
    // Once more: hashing takes long enough for the user to be disabled, or to get another password.
    const after = isRight ? await find(name) : undefined
    if (after && after.hash === before?.hash) return after.user
    if (before) await recordFailure(before.user, address)
    return undefined
  }

  function find(name: string): Promise<{ user: User; hash: string } | undefined> {
    return store.read(async (tx) => {
      const user = await tx.user({ name })
      const password = user?.disabledAt === null ? await tx.password(user.id) : undefined
      return user && password && { user, hash: password.hash }
    })
  }

  async function recordFailure({ id }: User, address: string): Promise<void> {
    await store.write((tx) =>
      record(tx, 'login_failed', { kind: 'user', id }, { userId: id, principalId: '', address }),
    )
  }

  return {
    set,
    check,
    /** One that nobody guesses, for a person who changes it later. */
    generate: (): string => randomBase62(GENERATED_LENGTH, randomBytes),
  }
}

/** The same text typed on another keyboard may have other code points. */
function normalized(password: string): string {
  return password.normalize('NFKC')
}

function isTooLong(password: string): boolean {
  return new TextEncoder().encode(password).length > MAX_BYTES
}

function noScrypt(): Promise<never> {
  return Promise.reject(new Error('these accounts were opened without scrypt'))
}
