import { randomUUID } from 'node:crypto'
import { errors } from 'oidc-provider'
import { redirectTarget } from '../../http/pages/redirect-target.ts'
import { sha256 } from '../../util/text/sha256.ts'

/**
 * The id of a client that registers itself. Some clients register with every connection: the same public client is one client,
 * because its id follows from what it says of itself. A confidential client has a secret and is always a new one.
 */
export function clientIdOf(metadata: Record<string, unknown>): string {
  const { token_endpoint_auth_method: method = 'none', redirect_uris: uris } = metadata
  if (method !== 'none') return `client_${randomUUID()}`
  const lasting = { ...metadata, redirect_uris: Array.isArray(uris) ? uris.map(withoutPort) : uris }
  return `client_${sha256(canonical(lasting)).slice(0, 32)}`
}

/** A program on the user's computer listens at another port each time, and may use any: see RFC 8252. */
function withoutPort(uri: unknown): unknown {
  const url = typeof uri === 'string' ? URL.parse(uri) : null
  if (url?.protocol !== 'http:' || !redirectTarget(url.href).isLoopback) return uri
  url.port = ''
  return url.href
}

/** Deeper than any metadata. */
const MAX_DEPTH = 8

/** The same text for the same metadata, whatever the order of its fields. */
function canonical(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new errors.InvalidClientMetadata('the metadata is nested too deeply')
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, depth + 1)).join()}]`
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field, depth + 1)}`).join()}}`
}
