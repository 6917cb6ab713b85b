import type { AccountDeps } from './deps.ts'

const INTERVAL_MS = 60_000

interface Use {
  usedAt: number
  /** The use that was last given to the store. */
  storedAt: number
}

export type LastUsed = ReturnType<typeof createLastUsed>

/** When keys and grants were last used, stored at most once a minute for each. A request neither waits for it nor fails with it. */
export function createLastUsed({ store, soon = queueMicrotask }: Pick<AccountDeps, 'store' | 'soon'>) {
  const uses = new Map<string, Use>()
  const due = new Set<string>()
  let isScheduled = false
  let storing = Promise.resolve()

  function record(id: string, now: number): void {
    const use = uses.get(id) ?? { usedAt: now, storedAt: -Infinity }
    use.usedAt = now
    uses.set(id, use)
    if (now - use.storedAt < INTERVAL_MS) return
    // Also where storing fails: it is tried again a minute later.
    use.storedAt = now
    due.add(id)
    if (isScheduled) return
    isScheduled = true
    soon(() => {
      isScheduled = false
      storing = storing.then(() => storeUses([...due])).catch(() => undefined)
    })
  }

  async function storeUses(ids: readonly string[]): Promise<void> {
    for (const id of ids) due.delete(id)
    if (ids.length === 0) return
    await store.write(async (tx) => {
      for (const id of ids) {
        const lastUsedAt = uses.get(id)?.usedAt ?? 0
        const key = await tx.key(id)
        if (key && (key.lastUsedAt ?? 0) < lastUsedAt) await tx.putKey({ ...key, lastUsedAt })
        const grant = key ? undefined : await tx.grant(id)
        if (grant && (grant.lastUsedAt ?? 0) < lastUsedAt) await tx.putGrant({ ...grant, lastUsedAt })
      }
    })
  }

  return {
    record,
    /** Stores everything collected so far. */
    async flush(): Promise<void> {
      await storing
      const later = [...uses].filter(([, { usedAt, storedAt }]) => usedAt > storedAt)
      for (const [, use] of later) use.storedAt = use.usedAt
      await storeUses([...new Set([...due, ...later.map(([id]) => id)])])
    },
  }
}
