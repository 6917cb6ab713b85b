import { hasScope } from '../model/access.ts'
import { isServed, SCHEMES, type Scheme } from '../model/scheme.ts'
import type { Served } from '../model/served.ts'
import { scopeOfUri } from '../resources/list.ts'
import type { ColdNode } from './cold-notice.ts'
import { findSubscribable, isMemoryGroup } from './subscribable.ts'
import { createWatches, type Watches, type WatchesParts } from './watches.ts'

/** A connection that is told what happened. */
export interface Listener {
  updated(uri: string): void
  cold(nodes: readonly ColdNode[]): void
}

export interface AudienceParts extends Pick<WatchesParts, 'stampOf'> {
  /** Whether there is such a custom view. */
  hasView: (view: string) => boolean
  /** What there is to hear of. */
  schemes: readonly Scheme[]
  /** What the client may do now: it is notified of nothing that it may not read. */
  allowed: Served['allowed']
}

/** The connections of one client, which is notified over all of them. They come and go. */
export interface Audience {
  join(listener: Listener): () => void
  updated(uri: string): void
  cold(nodes: readonly ColdNode[]): void
  /** Whether anybody is ever told of it. */
  canSubscribe(uri: string): boolean
  watches: Watches
}

export function createAudience({
  stampOf = async () => undefined,
  hasView = () => false,
  schemes = SCHEMES,
  allowed = () => ({ access: 'removes' }),
}: Partial<AudienceParts> = {}): Audience {
  const listeners = new Set<Listener>()
  const mayRead = (uri: string): boolean => hasScope(allowed(), scopeOfUri(uri))
  const updated = (uri: string): void => {
    if (!isServed(schemes, uri) || !mayRead(uri)) return
    for (const listener of listeners) listener.updated(uri)
  }
  const watches = createWatches({ stampOf, tell: updated })
  return {
    join(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    updated,
    cold(nodes) {
      if (!hasScope(allowed(), 'memories:read')) return
      for (const listener of listeners) listener.cold(nodes)
    },
    canSubscribe(uri) {
      const found = isServed(schemes, uri) ? findSubscribable(uri, hasView) : undefined
      return found !== undefined && mayRead(uri) && (!isMemoryGroup(found) || watches.hasRoom(uri))
    },
    watches,
  }
}
