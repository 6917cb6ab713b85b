import type { SpaceState } from '../port/history.ts'
import type { NewSnapshot, SnapshotRow, WriteTx } from '../port/store.ts'

/** The recorded facts of a snapshot: author, operation and message. Without secrets. */
export type SnapshotAbout = Omit<NewSnapshot, 'createdAt'>

/** The state digest as a snapshot shows it. */
export function hashOfDigest(digest: bigint): string {
  return digest.toString(16).padStart(16, '0')
}

/** The one snapshot of a transaction, created on first use: a call that changes nothing leaves no trace. */
export function lazySnapshot(
  tx: Pick<WriteTx, 'commit'>,
  base: () => Promise<SpaceState>,
  { createdAt, ...about }: NewSnapshot,
) {
  let opened: Promise<SnapshotRow> | undefined
  let digestChange = 0n

  async function open(): Promise<SnapshotRow> {
    const { head, nextSnapshotId: id } = await base()
    // Never before its parent, whatever the writer's clock: later versions have later times.
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
    /** As of now, before the end of the transaction. */
    row,
    id: async (): Promise<number> => (await row()).id,
    changeDigest(by: bigint): void {
      digestChange += by
    },
    /** For a snapshot whose predecessors, back to its new parent, are deleted. */
    async setParent(parentId: number): Promise<void> {
      opened = Promise.resolve({ ...(await row()), parentId })
    },
    /** The last step of a transaction; null if no snapshot was needed. */
    finish: async (): Promise<SnapshotRow | null> => (opened ? store(await opened) : null),
  }
}

export type LazySnapshot = ReturnType<typeof lazySnapshot>
