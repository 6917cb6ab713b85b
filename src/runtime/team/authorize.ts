import type { Principal } from '../../core/access/principal.ts'
import { type NeededScope, scopesUpTo } from '../../core/access/scopes.ts'
import type { Accounts } from '../../core/accounts/accounts.ts'
import type { Authentication } from '../../core/accounts/authenticate.ts'
import { bearerChallenge } from '../../http/challenge.ts'
import { problem } from '../../http/problem.ts'
import { metadataUrl } from './metadata.ts'

/** A client that proved who it is. */
export interface Identity {
  principal: Principal
  /** Of the key or token it has: it may be replaced or revoked while the client is connected. */
  secretHash: string
  /** What its sessions belong to: a key with this secret, or a grant with tokens for the same scopes. */
  owner: string
  /** Whether it was granted access by a user, who can grant it more. */
  hasGrant: boolean
}

export type Authorized = { kind: 'ok'; identity: Identity } | { kind: 'refused'; response: Response }

export interface AuthorizeParts {
  accounts: Pick<Accounts, 'authenticate'>
  /** Without a path. Never what a request says of the server. */
  publicUrl: () => string
  /** Whether access tokens are accepted, besides API keys. */
  hasTokens: boolean
}

/** The texts are part of the contract. */
const TEXTS = {
  missing: 'Unauthorized: Missing Authorization header',
  malformed: "Unauthorized: Authorization header must be 'Bearer <token>'",
  unknown: 'Unauthorized: API key not found',
  revoked: 'Unauthorized: API key has been revoked or has expired',
  unknown_token: 'Unauthorized: Token not found',
  revoked_token: 'Unauthorized: Token has been revoked or has expired',
} as const

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

/** Who sends a request, by its `Authorization` header and nothing else, before its body is read. */
export function createAuthorize({ accounts, publicUrl, hasTokens }: AuthorizeParts) {
  return async (request: Request, path: string): Promise<Authorized> => {
    const header = request.headers.get('authorization')
    if (header === null) return refuse('missing', path)
    const token = BEARER.exec(header)?.[1]
    if (token === undefined) return refuse('malformed', path)
    const found = await accounts.authenticate(token, hasTokens ? `${publicUrl()}${path}` : undefined)
    if (found.kind === 'ok') return { kind: 'ok', identity: identityOf(found) }
    // A text of the right form that cannot be a key is a key that there is not.
    return refuse(found.kind === 'malformed' ? 'unknown' : found.kind, path)
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

function identityOf({ principal, hash, tokenScopes }: Extract<Authentication, { kind: 'ok' }>): Identity {
  const owner = `${principal.id}:${tokenScopes?.join(' ') ?? hash}`
  return { principal, secretHash: hash, owner, hasGrant: tokenScopes !== undefined }
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
