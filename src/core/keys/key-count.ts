import type { ReadTx, SnapshotRow, Store } from '../port/store.ts'

export interface KeyCount {
  /** How many keys are stored, with those that are redacted or whose time has come. */
  used(): Promise<number>
  /** A snapshot of ours changed the number by `added`. */
  changed(snapshot: SnapshotRow | null, added: number): void
}

interface Known {
  head: number
  cursorHash: string
  count: number
}

const KEYS = { kind: 'key', states: ['live', 'erased'] } as const
/** What makes a snapshot, and neither a key nor the end of one. */
const OTHERS = ['write', 'summarize', 'compile', 'record', 'file']
/** Snapshots that are looked at before counting is faster. */
const MAX_SNAPSHOTS = 50

/** Whether all that happened since is none of the keys' business. */
async function isCountSame(tx: ReadTx, known: Known): Promise<boolean> {
  const newest = await tx.listSnapshots({ limit: MAX_SNAPSHOTS })
  const place = newest.findIndex(({ id }) => id === known.head)
  if (place < 0 || newest[place]?.cursorHash !== known.cursorHash) return false
  return newest.slice(0, place).every(({ operation }) => OTHERS.includes(operation))
}

/**
 * The number of keys stands in every answer, and counting them all for each would cost more than the answer. It holds as long
 * as no snapshot was made: every change of a key makes one.
 */
export function createKeyCount(store: Pick<Store, 'read'>): KeyCount {
  let known: Known | undefined
  return {
    used: () =>
      store.read(async (tx) => {
        const head = await tx.head()
        const at = { head: head?.id ?? 0, cursorHash: head?.cursorHash ?? '' }
        if (known?.head === at.head && known.cursorHash === at.cursorHash) return known.count
        const isSame = known !== undefined && (await isCountSame(tx, known))
        const count = isSame && known ? known.count : await tx.countDoorDocuments(KEYS)
        known = { ...at, count }
        return count
      }),
    changed(snapshot, added) {
      if (!snapshot || known?.head !== snapshot.parentId) return
      known = { head: snapshot.id, cursorHash: snapshot.cursorHash, count: known.count + added }
    },
  }
}
