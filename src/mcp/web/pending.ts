import type { RequestId } from '@modelcontextprotocol/server'

/**
 * The ids of what a session still answers. The SDK knows requests by them: of two that have the same, one would get both
 * answers, and the other would be waited for without end.
 */
export interface Pending {
  /** Takes the ids of all requests in a body; the answer gives them back. Undefined, and none is taken: one of them is in use. */
  take(body: unknown): (() => void) | undefined
  /** A request has its answer. */
  answered(id: RequestId): void
  size(): number
}

export function createPending(): Pending {
  const ids = new Set<RequestId>()
  return {
    take(body) {
      const asked = (Array.isArray(body) ? body : [body]).flatMap(idsOf)
      const isInUse = new Set(asked).size < asked.length || asked.some((id) => ids.has(id))
      if (isInUse) return undefined
      for (const id of asked) ids.add(id)
      return () => {
        for (const id of asked) ids.delete(id)
      }
    },
    answered: (id) => void ids.delete(id),
    size: () => ids.size,
  }
}

function idsOf(message: unknown): RequestId[] {
  if (typeof message !== 'object' || message === null || !('method' in message) || !('id' in message))
    return []
  return isRequestId(message.id) ? [message.id] : []
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}
