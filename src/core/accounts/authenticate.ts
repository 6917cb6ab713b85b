import { isSameSecret } from '../../util/text/same-secret.ts'
import type { Principal } from '../access/principal.ts'
import { type Scope, scopesWithin } from '../access/scopes.ts'
import type { AccountDeps } from './deps.ts'
import type { LastUsed } from './last-used.ts'
import { earliest, isLive } from './live.ts'
import type { ApiKey } from './model.ts'
import type { KeyAccess } from './port.ts'
import { keyIdOf, looksLikeKey } from './token.ts'
import { audienceOf, scopesOf, tokenPrincipal } from './token-principal.ts'

/**
 * `malformed`: cannot be a key. `unknown`: is none. `revoked`: was one, and no longer works or not now. The same of an access
 * token: `unknown_token`, also where it is for another audience, and `revoked_token`.
 */
export type Authentication =
  /** `tokenScopes`: of an access token, what it was given for, whatever its user may do now. Undefined: a key. */
  | { kind: 'ok'; principal: Principal; hash: string; tokenScopes?: readonly Scope[] }
  | { kind: 'malformed' | 'unknown' | 'revoked' | 'unknown_token' | 'revoked_token' }

export function createAuthenticate({ store, now, sha256 }: AccountDeps, lastUsed: LastUsed) {
  /** `audience`: the URL that access tokens must be for. Default: only API keys work. */
  async function authenticate(token: string, audience?: string): Promise<Authentication> {
    if (audience !== undefined && !looksLikeKey(token)) return authenticateToken(token, audience)
    const id = keyIdOf(token)
    if (id === undefined) return { kind: 'malformed' }
    const hash = sha256(token)
    const access = await store.read((tx) => tx.keyAccess(id))
    // Only a client with the secret learns that the key existed.
    if (!access || !isSecretOf(access.key, hash)) return { kind: 'unknown' }
    const principal = principalOf(access, now(), hash)
    if (!principal) return { kind: 'revoked' }
    lastUsed.record(id, now())
    return { kind: 'ok', principal, hash }
  }

  async function authenticateToken(token: string, audience: string): Promise<Authentication> {
    const hash = sha256(token)
    const access = await store.read((tx) => tx.tokenAccess(hash))
    if (!access || audienceOf(access.token) !== audience) return { kind: 'unknown_token' }
    const principal = tokenPrincipal(access, now())
    if (!principal) return { kind: 'revoked_token' }
    lastUsed.record(principal.id, now())
    return { kind: 'ok', principal, hash, tokenScopes: scopesOf(access.token) }
  }

  /**
   * For open connections: the current principal, or undefined if its key or token no longer works, or the secret no longer
   * does whose `hash` `authenticate` returned.
   */
  function current(principalId: string, hash: string): Promise<Principal | undefined> {
    return store.read(async (tx) => {
      const key = await tx.keyAccess(principalId)
      if (key) return principalOf(key, now(), hash)
      const token = await tx.tokenAccess(hash)
      return token?.grant.id === principalId ? tokenPrincipal(token, now()) : undefined
    })
  }

  /** Of a principal that is no longer current: whether only its access token expired, so that its client can get another. */
  function canRenew(principalId: string, hash: string): Promise<boolean> {
    return store.read(async (tx) => {
      const access = await tx.tokenAccess(hash)
      if (access?.grant.id !== principalId) return false
      return tokenPrincipal({ ...access, token: { ...access.token, expiresAt: null } }, now()) !== undefined
    })
  }

  return { authenticate, current, canRenew }
}

/** The principal of a key that works now with the secret of this `hash`. Any missing row means that it does not. */
export function principalOf(
  { key, user, space, member, parents }: KeyAccess,
  now: number,
  hash: string,
): Principal | undefined {
  if (!worksWith(key, hash, now)) return undefined
  const line = [key, ...parents]
  if (user.disabledAt !== null || space.archivedAt !== null || !member) return undefined
  if (line.at(-1)?.parentId !== null || !line.every((one) => isLive(one, now))) return undefined
  const scopes = scopesWithin(member.role, key.scopes)
  if (scopes.length === 0) return undefined
  return {
    id: key.id,
    rootId: line.at(-1)?.id ?? key.id,
    author: `${user.name}/${key.id}`,
    userId: user.id,
    user: user.name,
    limits: user.limits,
    spaceId: space.id,
    space: space.name,
    scopes,
    until: earliest([...line.map(({ expiresAt }) => expiresAt), untilRotated(key, hash)]),
  }
}

/** When a secret that was replaced stops working. */
function untilRotated({ hash, previous }: ApiKey, given: string): number | null {
  return given === hash ? null : (previous?.until ?? null)
}

function isSecretOf({ hash, previous }: ApiKey, given: string): boolean {
  const isCurrent = isSameSecret(hash, given)
  return isSameSecret(previous?.hash ?? '', given) || isCurrent
}

function worksWith({ hash, previous }: ApiKey, given: string, now: number): boolean {
  if (isSameSecret(hash, given)) return true
  return previous !== null && now < previous.until && isSameSecret(previous.hash, given)
}
