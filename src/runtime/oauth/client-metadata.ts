import { CLIENT_AUTH_METHODS, GRANT_TYPES } from './paths.ts'

/** What a client says of itself, when it registers or in its metadata document. */
export type ClientMetadata = Record<string, unknown>

/** The rest is for servers that do more. Secrets are kept for the provider to refuse: a document must not have any. */
const KEPT = [
  'client_id',
  'client_name',
  'client_uri',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'client_secret',
  'client_secret_expires_at',
]

/**
 * The part of it that matters here. Clients say the same to every server: that one does not do all of it is no reason to refuse
 * them. Which scopes a client gets is for its users to say, whatever it registers.
 */
export function usableMetadata(given: ClientMetadata): ClientMetadata {
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
  const entries = KEPT.filter((name) => isGiven(given[name])).map((name) => [name, given[name]])
  const kept: ClientMetadata = Object.fromEntries(entries)
  // A client that does not say whether it can keep a secret is not given one.
  const { grant_types: types, token_endpoint_auth_method: method = 'none' } = kept
  const known = Array.isArray(types) ? types.filter((type) => GRANT_TYPES.includes(type)) : []
  const isKnown = CLIENT_AUTH_METHODS.includes(String(method))
  return {
    ...kept,
    // One that wants nothing that there is here is left for the provider to refuse.
    ...(known.length > 0 && { grant_types: known }),
    token_endpoint_auth_method: !isKnown && isPublicToo(given) ? 'none' : method,
  }
}

/** A client may prefer one way to authenticate, and list the others that it has. */
function isPublicToo({ token_endpoint_auth_methods_supported: methods }: ClientMetadata): boolean {
  return Array.isArray(methods) && methods.includes('none')
}

/** No client says more: a longer document is left as it is, for the provider to refuse. */
const MAX_CHARACTERS = 5 * 1024

/** The same of a document. What is none is left as it is. */
export async function usableDocument(response: Response): Promise<Response> {
  const { status, headers } = response
  const text = await response.text()
  const given = text.length > MAX_CHARACTERS ? undefined : parse(text)
  const body = given === undefined ? text : JSON.stringify(usableMetadata(given))
  return new Response(status === 200 ? body : null, { status, headers: withoutLength(headers) })
}

function parse(text: string): ClientMetadata | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value)
      ? ((value as ClientMetadata | null) ?? undefined)
      : undefined
  } catch {
    return undefined
  }
}

function withoutLength(headers: Headers): Headers {
  const others = new Headers(headers)
  others.delete('content-length')
  return others
}
