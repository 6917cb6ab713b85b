import type { AccountStore } from './port.ts'

const INTERVAL_MS = 60_000

interface Use {
  usedAt: number
  /** When `usedAt` was last given to the store. */
  storedAt: number
}

export type LastUsed = ReturnType<typeof createLastUsed>

/** When keys were last used: of each at most once a minute is stored. A request never waits for that, nor fails with it. */
export function createLastUsed(store: Pick<AccountStore, 'write'>) {
  const uses = new Map<string, Use>()
  const due = new Set<string>()
  let storing: Promise<void> | undefined

  function record(id: string, now: number): void {
    const use = uses.get(id) ?? { usedAt: now, storedAt: -Infinity }
    use.usedAt = now
    uses.set(id, use)
    if (now - use.storedAt < INTERVAL_MS) return
    // Also where storing fails: it is tried again a minute later.
    use.storedAt = now
    due.add(id)
    storing ??= storeDue().finally(() => {
      storing = undefined
    })
  }

  async function storeDue(): Promise<void> {
    while (due.size > 0) {
      const ids = [...due]
      due.clear()
      await storeUses(ids).catch(() => undefined)
    }
  }

  function storeUses(ids: readonly string[]): Promise<void> {
    return store.write(async (tx) => {
      for (const id of ids) {
        const key = await tx.key(id)
        const lastUsedAt = uses.get(id)?.usedAt ?? 0
        if (key && (key.lastUsedAt ?? 0) < lastUsedAt) await tx.putKey({ ...key, lastUsedAt })
      }
    })
  }

  return {
    record,
    /** Stores what is known now. */
    async flush(): Promise<void> {
      await storing
      const ids = [...uses].filter(([, { usedAt, storedAt }]) => usedAt > storedAt).map(([id]) => id)
      if (ids.length === 0) return
      await storeUses(ids)
      for (const id of ids) {
        const use = uses.get(id)
        if (use) use.storedAt = use.usedAt
      }
    },
  }
}
