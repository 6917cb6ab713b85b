import type { Adapter, AdapterPayload } from 'oidc-provider'

/** So many browsers may be in the middle of something. Beyond, the one that waits longest has to begin again. */
const MAX_WAITING = 5000

export type Waiting = ReturnType<typeof createWaiting>

/**
 * Requests that wait for a person. In memory: anybody can make one without signing in, so they must neither fill the disk nor keep
 * others from writing. After a restart the client asks again.
 */
export function createWaiting(now: () => number) {
  const requests = new Map<string, { payload: AdapterPayload; expiresAt: number }>()

  function removeExpired(): void {
    for (const [id, { expiresAt }] of requests) if (expiresAt <= now()) requests.delete(id)
  }

  function removeOldest(): void {
    const [oldest] = requests.keys()
    if (oldest !== undefined) requests.delete(oldest)
  }

  return {
    async upsert(id, payload, expiresIn = 0) {
      if (requests.size >= MAX_WAITING) removeExpired()
      if (requests.size >= MAX_WAITING && !requests.has(id)) removeOldest()
      requests.set(id, { payload: structuredClone(payload), expiresAt: now() + expiresIn * 1000 })
    },
    async find(id) {
      const found = requests.get(id)
      return found && now() < found.expiresAt ? structuredClone(found.payload) : undefined
    },
    async destroy(id) {
      requests.delete(id)
    },
  } satisfies Partial<Adapter>
}
