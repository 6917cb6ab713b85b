import { type Scope, scopesUpTo } from '../../core/access/scopes.ts'

export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  registration: '/oauth/register',
} as const

/** Where a user decides about a request of a client. */
export function consentPath(id: string): string {
  return `/auth/consent/${id}`
}

/** Administering is for people: no agent is given it. */
export const OAUTH_SCOPES: readonly Scope[] = scopesUpTo('memories:write')

export const GRANT_TYPES: readonly string[] = ['authorization_code', 'refresh_token']

/** How clients prove who they are. `none`: anybody can be that client, and its users are asked. */
export const CLIENT_AUTH_METHODS: readonly string[] = ['none', 'client_secret_post', 'client_secret_basic']
