import type { NewSnapshot, SnapshotRow, WriteTx } from './port/store.ts'

/** What is recorded of a snapshot: who made it, and how. Without secrets. */
export type SnapshotAbout = Omit<NewSnapshot, 'createdAt'>

/**
 * The one snapshot of a transaction, opened by the first thing that needs it: a call that changes nothing leaves no
 * trace.
 */
export function lazySnapshot(tx: WriteTx, about: SnapshotAbout, createdAt: number) {
  let opened: Promise<number> | undefined
  async function open(): Promise<number> {
    const { nextSnapshotId: id } = await tx.state()
    await tx.beginSnapshot(id, { ...about, createdAt })
    return id
  }
  return {
    id(): Promise<number> {
      opened ??= open()
      return opened
    },
    /** The last thing of a transaction; null when nothing asked for a snapshot. */
    finish: async (): Promise<SnapshotRow | null> =>
      opened ? tx.finishSnapshot(await opened, about.operation) : null,
  }
}

export type LazySnapshot = ReturnType<typeof lazySnapshot>
