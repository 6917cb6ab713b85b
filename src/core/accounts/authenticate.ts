import type { Principal } from '../access/principal.ts'
import { scopesWithin } from '../access/scopes.ts'
import type { AccountDeps } from './deps.ts'
import type { LastUsed } from './last-used.ts'
import type { ApiKey } from './model.ts'
import type { KeyAccess } from './port.ts'
import { keyIdOf } from './token.ts'

/** `malformed`: cannot be a key. `unknown`: is none. `revoked`: was one, and no longer works or not now. */
export type Authentication =
  | { kind: 'ok'; principal: Principal; hash: string }
  | { kind: 'malformed' | 'unknown' | 'revoked' }

export function createAuthenticate({ store, now, sha256 }: AccountDeps, lastUsed: LastUsed) {
  async function authenticate(token: string): Promise<Authentication> {
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

  /**
   * For open connections: the current principal, or undefined if its key no longer works, or the secret no longer
   * does whose `hash` `authenticate` returned.
   */
  async function current(principalId: string, hash: string): Promise<Principal | undefined> {
    const access = await store.read((tx) => tx.keyAccess(principalId))
    return access && principalOf(access, now(), hash)
  }

  return { authenticate, current }
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

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Neither revoked nor expired, regardless of the keys above it. */
export function isLive({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt)
}

function isSecretOf({ hash, previous }: ApiKey, given: string): boolean {
  const isCurrent = isEqual(hash, given)
  return isEqual(previous?.hash ?? '', given) || isCurrent
}

function worksWith({ hash, previous }: ApiKey, given: string, now: number): boolean {
  if (isEqual(hash, given)) return true
  return previous !== null && now < previous.until && isEqual(previous.hash, given)
}

/** Takes as long for any two texts of the same length. */
function isEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}
