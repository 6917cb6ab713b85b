import { randomUUID } from 'node:crypto'
import { errors } from 'oidc-provider'
import { sha256 } from '../../util/text/sha256.ts'

/**
 * The id of a client that registers itself. Some clients register with every connection: the same public client is one client,
 * because its id follows from what it says of itself. A confidential client has a secret and is always a new one.
 */
export function clientIdOf(metadata: Record<string, unknown>): string {
  const { token_endpoint_auth_method: method = 'none' } = metadata
  return method === 'none' ? `client_${sha256(canonical(metadata)).slice(0, 32)}` : `client_${randomUUID()}`
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
