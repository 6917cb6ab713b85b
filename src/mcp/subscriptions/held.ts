import type { Watches } from './watches.ts'

/** What one client, or one of its streams, wants to hear of. */
export interface Held {
  has(uri: string): boolean
  /** Resolves when every later change will be told. */
  add(uri: string): Promise<void>
  delete(uri: string): void
  /** The client is gone. */
  clear(): void
}

/** Holds each once, however often it is asked for. */
export function createHeld(watches: Pick<Watches, 'add' | 'remove'>): Held {
  const uris = new Set<string>()
  return {
    has: (uri) => uris.has(uri),
    async add(uri) {
      if (uris.has(uri)) return
      uris.add(uri)
      await watches.add(uri)
    },
    delete(uri) {
      if (uris.delete(uri)) watches.remove(uri)
    },
    clear() {
      for (const uri of uris) watches.remove(uri)
      uris.clear()
    },
  }
}
