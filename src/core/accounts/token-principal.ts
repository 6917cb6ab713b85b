import type { Principal } from '../access/principal.ts'
import { coversScope, isScope, ROLES, SCOPES, type Scope } from '../access/scopes.ts'
import { earliest, isExpired, isLive } from './live.ts'
import type { OAuthRecord } from './model.ts'
import type { TokenAccess } from './port.ts'

/** The client of an access token that works now. Any missing row means that it does not. */
export function tokenPrincipal(
  { token, grant, user, space, member }: TokenAccess,
  now: number,
): Principal | undefined {
  if (isExpired(token, now) || !isLive(grant, now)) return undefined
  if (user.disabledAt !== null || space.archivedAt !== null || !member) return undefined
  const limits = [scopesOf(token), grant.scopes, [ROLES[member.role]]]
  const scopes = SCOPES.filter((scope) => limits.every((granted) => coversScope(granted, scope)))
  if (scopes.length === 0) return undefined
  return {
    id: grant.id,
    rootId: grant.id,
    author: `${user.name}/${grant.id}`,
    userId: user.id,
    user: user.name,
    limits: user.limits,
    spaceId: space.id,
    space: space.name,
    scopes,
    until: earliest([token.expiresAt, grant.expiresAt]),
  }
}

/** The URL that a token is for. */
export function audienceOf(token: OAuthRecord): unknown {
  return payloadOf(token).aud
}

export function scopesOf(token: OAuthRecord): Scope[] {
  const { scope } = payloadOf(token)
  return typeof scope === 'string' ? scope.split(' ').filter(isScope) : []
}

function payloadOf({ payload }: OAuthRecord): { aud?: unknown; scope?: unknown } {
  return JSON.parse(payload)
}
