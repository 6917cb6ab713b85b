import type { ColdNode } from '../cold-notice.ts'

/** A connection that is told what happened. */
export interface Listener {
  updated(uri: string): void
  cold(nodes: readonly ColdNode[]): void
}

/** Everybody who is told: connections come and go. */
export function createAudience() {
  const listeners = new Set<Listener>()
  return {
    join(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    updated(uri: string): void {
      for (const listener of listeners) listener.updated(uri)
    },
    cold(nodes: readonly ColdNode[]): void {
      for (const listener of listeners) listener.cold(nodes)
    },
  }
}

export type Audience = ReturnType<typeof createAudience>
