import type { Principal } from '../../core/access/principal.ts'
import type { RateLimit, Served } from '../../mcp/model/served.ts'
import { type Audience, type AudienceParts, createAudience } from '../../mcp/subscriptions/audience.ts'
import { stampOf } from '../../mcp/subscriptions/stamp.ts'

/** What one client is offered, and how it is notified. Clients share nothing but the memory. */
export interface Client {
  served: Served
  audience: Audience
  /** It is gone: it is notified of nothing more. */
  close(): void
}

/** Who a client is now: its scopes can change while it is connected. Undefined: the server has no accounts. */
export type FindPrincipal = (() => Principal) | undefined

export interface ClientOptions {
  principal?: FindPrincipal
  rate?: RateLimit | undefined
}

export interface ClientsParts extends Pick<AudienceParts, 'schemes' | 'hasView'> {
  servedTo(principal: FindPrincipal): Served
}

/** The clients of one memory. */
export interface Clients extends Pick<Audience, 'updated' | 'cold'> {
  open(options?: ClientOptions): Client
  /** Something of this group may have changed. */
  check: (...args: Parameters<Audience['watches']['check']>) => Promise<void>
}

export function createClients({ servedTo, schemes, hasView }: ClientsParts): Clients {
  const audiences = new Set<Audience>()
  return {
    open({ principal, rate } = {}) {
      const served = { ...servedTo(principal), rate }
      const audience = createAudience({
        stampOf: (uri) => stampOf(served, uri),
        allowed: served.allowed,
        schemes,
        hasView,
      })
      audiences.add(audience)
      return { served, audience, close: () => void audiences.delete(audience) }
    },
    updated(uri) {
      for (const audience of audiences) audience.updated(uri)
    },
    cold(nodes) {
      for (const audience of audiences) audience.cold(nodes)
    },
    async check(group) {
      await Promise.all([...audiences].map(({ watches }) => watches.check(group)))
    },
  }
}
