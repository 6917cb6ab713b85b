export interface Challenge {
  /** Where the document is that says which scopes there are (RFC 9728). */
  metadata: string
  /** All that the request needs. */
  scopes: readonly string[]
  /** Of RFC 6750. None: the request had no token at all. */
  error?: 'invalid_token' | 'insufficient_scope'
}

/** The value of `WWW-Authenticate`: how a client gets a token that works. */
export function bearerChallenge({ metadata, scopes, error }: Challenge): string {
  const parts = [`resource_metadata="${metadata}"`, `scope="${scopes.join(' ')}"`]
  return `Bearer ${[...(error ? [`error="${error}"`] : []), ...parts].join(', ')}`
}
