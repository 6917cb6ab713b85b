import type { Principal, WriteCaller } from '../../core/access/principal.ts'
import { SCOPES, type Scope } from '../../core/access/scopes.ts'
import type { Accounts } from '../../core/accounts/accounts.ts'
import { isMemoryError, MemoryError, needs } from '../../core/errors.ts'
import { problem } from '../../http/problem.ts'
import { createBodyReader } from '../../mcp/web/read-body.ts'
import type { Identity } from './authorize.ts'

/** More than any request for a key has to say. */
const MAX_BODY_BYTES = 4096
const bodies = createBodyReader({ maxBytes: MAX_BODY_BYTES })
const FIELDS = ['scopes', 'expires_in', 'label']

/** What the holder of a key can do with keys, over HTTP: make narrower ones, list them and revoke them. */
export function createChildKeys({ keys }: Pick<Accounts, 'keys'>, now: () => number) {
  async function create(
    request: Request,
    { principal, secretHash }: Identity,
    address: string,
  ): Promise<Response> {
    const { scopes, expires_in: seconds, label } = await bodyOf(request)
    const expiresAt = seconds === undefined ? undefined : now() + lifeOf(seconds)
    const grant = {
      scopes: scopes === undefined ? principal.scopes : scopesOf(scopes),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(label === undefined ? {} : { label: textOf(label) }),
    }
    // The secret may have been replaced while the body arrived.
    const created = await keys.createChild(principal.id, grant, {
      secretHash,
      by: callerOf(principal, address),
    })
    return Response.json({ id: created.id, key: created.key }, { status: 201 })
  }

  async function list({ principal }: Identity): Promise<Response> {
    const made = await keys.listMadeBy(principal.id)
    return Response.json({
      keys: made.map(({ id, label, scopes, expiresAt, lastUsedAt, revokedAt }) => ({
        ...{ id, label, scopes, expires_at: timeOf(expiresAt) },
        ...{ last_used_at: timeOf(lastUsedAt), revoked_at: timeOf(revokedAt) },
      })),
    })
  }

  async function revoke(id: string, { principal }: Identity, address: string): Promise<Response> {
    const made = await keys.listMadeBy(principal.id)
    // Another's key is as one that there is not.
    if (!made.some((key) => key.id === id)) return problem(404, `there is no key "${id}" that this key made`)
    await keys.revoke(id, callerOf(principal, address))
    return new Response(null, { status: 204 })
  }

  return { create: inWords(create), list: inWords(list), revoke: inWords(revoke) }
}

function callerOf({ id: principalId, userId }: Principal, address: string): WriteCaller {
  return { userId, principalId, address }
}

const STATUS: Partial<Record<string, number>> = { INVALID_INPUT: 400, FORBIDDEN: 403, NOT_FOUND: 404 }

/** A mistake of the client is its to know; the rest is the server's. */
function inWords<A extends unknown[]>(handle: (...args: A) => Promise<Response>) {
  return async (...args: A): Promise<Response> => {
    try {
      return await handle(...args)
    } catch (error) {
      if (!isMemoryError(error)) throw error
      return problem(STATUS[error.code] ?? 409, error.message)
    }
  }
}

async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  const read = await bodies.read(request)
  const body = read.kind === 'text' ? parsed(read.text) : undefined
  needs(
    typeof body === 'object' && body !== null && !Array.isArray(body),
    `the body must be a JSON object of at most ${MAX_BODY_BYTES} bytes`,
  )
  const unknown = Object.keys(body as object).filter((name) => !FIELDS.includes(name))
  const names = unknown.map((name) => JSON.stringify(name)).join(', ')
  needs(unknown.length === 0, `unknown fields: ${names}; a key has scopes, expires_in and label`)
  return body as Record<string, unknown>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function scopesOf(value: unknown): Scope[] {
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => SCOPES.includes(one))
  needs(isList, `scopes must be a list of ${SCOPES.join(', ')}`)
  return value as Scope[]
}

/** In milliseconds. */
function lifeOf(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return Math.round(value * 1000)
  throw new MemoryError('INVALID_INPUT', 'expires_in must be a number of seconds above 0')
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new MemoryError('INVALID_INPUT', 'label must be a string')
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
