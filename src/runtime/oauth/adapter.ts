import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { WriteCaller } from '../../core/access/principal.ts'
import type { Accounts } from '../../core/accounts/accounts.ts'
import { ACCESS_TOKEN } from '../../core/accounts/port.ts'
import { isMemoryError } from '../../core/errors.ts'
import { sha256 } from '../../util/text/sha256.ts'
import { currentAddress } from './bridge.ts'
import { checkRedirects } from './redirects.ts'
import type { Resources } from './resources.ts'
import type { Waiting } from './waiting.ts'

export interface AdapterParts {
  accounts: Accounts
  resources: Resources
  waiting: Waiting
  /** Unix milliseconds. */
  now: () => number
}

/**
 * For so long, another use is taken for a mistake of the client and not for a theft, which ends all that the first use got. A client
 * may lose the answer to a refresh, or two of its processes may refresh at once: the old token even works. A code never works twice.
 */
const GRACE_MS: Readonly<Record<string, number>> = { RefreshToken: 30_000, AuthorizationCode: 5_000 }

/** Where the provider keeps what it must remember: with the accounts. */
export function createAdapter(parts: AdapterParts): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Session') return forgetful()
    if (kind === 'Interaction') return { ...forgetful(), ...parts.waiting }
    if (kind === 'Grant') return grantAdapter(parts)
    if (kind === 'Client') return clientAdapter(parts)
    return recordAdapter(kind, parts)
  }
}

/** Who is signed in is decided by our own logins, at every request. */
function forgetful(): Adapter {
  const nothing = async (): Promise<undefined> => undefined
  return {
    upsert: nothing,
    find: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
    consume: nothing,
    destroy: nothing,
    revokeByGrantId: nothing,
  }
}

/** Grants are made by the consent page; the provider reads and revokes them. */
function grantAdapter({ accounts, resources }: AdapterParts): Adapter {
  return {
    ...forgetful(),
    async find(id) {
      const grant = await accounts.grants.get(id)
      if (!grant) return undefined
      const scope = grant.scopes.join(' ')
      return {
        jti: grant.id,
        kind: 'Grant',
        accountId: grant.userId,
        clientId: grant.clientId,
        resources: Object.fromEntries(resources.of(grant.space).map((resource) => [resource, scope])),
        iat: Math.floor(grant.createdAt / 1000),
        ...(grant.expiresAt === null ? {} : { exp: Math.floor(grant.expiresAt / 1000) }),
      }
    },
    async destroy(id) {
      await accounts.grants.revoke(id, callerOf())
    },
  }
}

/** Registered clients. Those with a metadata document are not stored. */
function clientAdapter({ accounts }: AdapterParts): Adapter {
  return {
    ...forgetful(),
    async find(id) {
      const client = await accounts.clients.find(id)
      return client && (JSON.parse(client.metadata) as AdapterPayload)
    },
    async upsert(id, metadata) {
      checkRedirects(metadata.redirect_uris)
      const { client_secret: secret, client_name: name = '' } = metadata
      const stored = secret === undefined ? metadata : { ...metadata, client_secret: sha256(secret) }
      await asProviderError(
        accounts.clients.register({ id, name, metadata: JSON.stringify(stored) }, callerOf()),
      )
    },
    async destroy(id) {
      await accounts.clients.remove(id)
    },
  }
}

/** A client that is not known to be anybody's yet. */
function callerOf(): WriteCaller {
  return { userId: '', principalId: '', address: currentAddress() }
}

/** What a client can act on, as the protocol says it. */
async function asProviderError(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isMemoryError(error)) throw error
    if (error.code === 'FORBIDDEN') throw new errors.InvalidGrant(error.message)
    throw new errors.CustomOIDCProviderError('temporarily_unavailable', error.message)
  }
}

function recordAdapter(kind: string, { accounts: { records }, now }: AdapterParts): Adapter {
  return {
    ...forgetful(),
    async upsert(id, { jti: _, ...payload }, expiresIn) {
      // Of a grant for a space that had the name before: a client with a token that does nothing would only ask again and again.
      if (kind === ACCESS_TOKEN && !payload.scope)
        throw new errors.InvalidGrant('nothing is granted for this endpoint')
      const record = {
        ...{ kind, id, grantId: payload.grantId ?? null, uid: payload.uid ?? null },
        payload: JSON.stringify(payload),
        expiresAt: expiresIn ? now() + expiresIn * 1000 : null,
      }
      await asProviderError(records.put(record, currentAddress()))
    },
    async find(id) {
      const record = await records.find(kind, { id })
      if (!record) return undefined
      const { payload, consumedAt } = record
      return { ...JSON.parse(payload), jti: id, ...(isUsed(consumedAt) ? { consumed: true } : {}) }
    },
    async consume(id) {
      const isFirst = await records.consume(kind, id)
      // Several requests may have found it unused.
      if (!isFirst && kind !== 'RefreshToken') throw new errors.InvalidGrant('already used')
    },
    destroy: (id) => records.remove(kind, id, currentAddress()),
    revokeByGrantId: (grantId) => records.removeOfGrant(grantId),
  }

  function isUsed(consumedAt: number | null): boolean {
    return consumedAt !== null && consumedAt + (GRACE_MS[kind] ?? 0) <= now()
  }
}
