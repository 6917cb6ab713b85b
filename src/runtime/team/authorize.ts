import type { Principal } from '../../core/access/principal.ts'
import { type NeededScope, scopesUpTo } from '../../core/access/scopes.ts'
import type { Accounts } from '../../core/accounts/accounts.ts'
import { bearerChallenge } from '../../http/challenge.ts'
import { problem } from '../../http/problem.ts'
import { metadataUrl } from './metadata.ts'

/** A client that proved who it is. */
export interface Identity {
  principal: Principal
  /** Tells apart what was opened with the old and the new secret of a rotated key. */
  secretHash: string
}

export type Authorized = { kind: 'ok'; identity: Identity } | { kind: 'refused'; response: Response }

export interface AuthorizeParts {
  accounts: Pick<Accounts, 'authenticate'>
  /** Without a path. Never what a request says of the server. */
  publicUrl: () => string
}

/** The texts are part of the contract. */
const TEXTS = {
  missing: 'Unauthorized: Missing Authorization header',
  malformed: "Unauthorized: Authorization header must be 'Bearer <token>'",
  unknown: 'Unauthorized: API key not found',
  revoked: 'Unauthorized: API key has been revoked or has expired',
} as const

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

/** Who sends a request, by its `Authorization` header and nothing else, before its body is read. */
export function createAuthorize({ accounts, publicUrl }: AuthorizeParts) {
  return async (request: Request, path: string): Promise<Authorized> => {
    const header = request.headers.get('authorization')
    if (header === null) return refuse('missing', path)
    const token = BEARER.exec(header)?.[1]
    if (token === undefined) return refuse('malformed', path)
    const found = await accounts.authenticate(token)
    if (found.kind === 'ok')
      return { kind: 'ok', identity: { principal: found.principal, secretHash: found.hash } }
    // A text of the right form that cannot be a key is a key that there is not.
    return refuse(found.kind === 'revoked' ? 'revoked' : 'unknown', path)
  }

  function refuse(why: keyof typeof TEXTS, path: string): Authorized {
    const challenge = bearerChallenge({
      metadata: metadataUrl(publicUrl(), path),
      scopes: scopesUpTo('memories:write'),
      ...(why === 'missing' ? {} : { error: 'invalid_token' }),
    })
    return { kind: 'refused', response: problem(401, TEXTS[why], { 'www-authenticate': challenge }) }
  }
}

/** How a client gets a token that also has this scope. */
export function scopeChallenge(publicUrl: string, path: string): (scope: NeededScope) => string {
  return (scope) =>
    bearerChallenge({
      metadata: metadataUrl(publicUrl, path),
      scopes: scopesUpTo(scope),
      error: 'insufficient_scope',
    })
}
