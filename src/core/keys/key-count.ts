import type { SnapshotRow, Store } from '../store.ts'

export interface KeyCount {
  /** How many keys are stored, with those that are redacted or whose time has come. */
  used(): Promise<number>
  /** A snapshot of ours changed the number by so many. */
  changed(snapshot: SnapshotRow | null, added: number): void
}

/**
 * The number of keys stands in every answer, and counting them all for each would cost more than the answer. It holds as long
 * as no snapshot was made: every change of a key makes one.
 */
export function createKeyCount(store: Pick<Store, 'read'>): KeyCount {
  let known: { head: number; cursorHash: string; count: number } | undefined
  return {
    used: () =>
      store.read(async (tx) => {
        const head = await tx.head()
        const at = { head: head?.id ?? 0, cursorHash: head?.cursorHash ?? '' }
        if (known?.head === at.head && known.cursorHash === at.cursorHash) return known.count
        const count = await tx.countDoorDocuments({ kind: 'key', states: ['live', 'erased'] })
        known = { ...at, count }
        return count
      }),
    changed(snapshot, added) {
      if (!snapshot || known?.head !== snapshot.parentId) return
      known = { head: snapshot.id, cursorHash: snapshot.cursorHash, count: known.count + added }
    },
  }
}
