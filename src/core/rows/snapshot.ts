import type { SpaceState } from '../port/history.ts'
import type { NewSnapshot, SnapshotRow, WriteTx } from '../port/store.ts'

/** What is recorded of a snapshot: who made it, and how. Without secrets. */
export type SnapshotAbout = Omit<NewSnapshot, 'createdAt'>

/** How a snapshot shows the state digest. */
export function hashOfDigest(digest: bigint): string {
  return digest.toString(16).padStart(16, '0')
}

/**
 * The one snapshot of a transaction, opened by the first thing that needs it: a call that changes nothing leaves no
 * trace.
 */
export function lazySnapshot(
  tx: Pick<WriteTx, 'commit'>,
  base: () => Promise<SpaceState>,
  { createdAt, ...about }: NewSnapshot,
) {
  let opened: Promise<SnapshotRow> | undefined
  let digestChange = 0n

  async function open(): Promise<SnapshotRow> {
    const { head, nextSnapshotId: id } = await base()
    // Never before its parent, whatever clock its writer has: later versions of anything have later times.
    const at = Math.max(createdAt, head?.createdAt ?? 0)
    return store({ id, parentId: head?.id ?? null, cursorHash: '', ...about, createdAt: at })
  }
  async function store(row: SnapshotRow): Promise<SnapshotRow> {
    const digest = BigInt.asUintN(64, (await base()).digest + digestChange)
    const stored = { ...row, cursorHash: hashOfDigest(digest) }
    await tx.commit({ snapshot: { row: stored, digest } })
    return stored
  }
  function row(): Promise<SnapshotRow> {
    opened ??= open()
    return opened
  }
  return {
    /** As it is before the end of the transaction. */
    row,
    id: async (): Promise<number> => (await row()).id,
    changeDigest(by: bigint): void {
      digestChange += by
    },
    /** What came between it and its new parent is forgotten. */
    async setParent(parentId: number): Promise<void> {
      opened = Promise.resolve({ ...(await row()), parentId })
    },
    /** The last thing of a transaction; null when nothing asked for a snapshot. */
    finish: async (): Promise<SnapshotRow | null> => (opened ? store(await opened) : null),
  }
}

export type LazySnapshot = ReturnType<typeof lazySnapshot>
