import type { NewSnapshot, SnapshotRow, WriteTx } from './port/store.ts'
import type { Redact } from './redact.ts'

/**
 * The one snapshot of a transaction, opened by the first thing that needs it: a call that changes nothing leaves no
 * trace.
 */
export function lazySnapshot(tx: WriteTx, redact: Redact, { now, ...about }: SnapshotInput) {
  let opened: Promise<number> | undefined
  async function open(): Promise<number> {
    const id = await tx.nextSnapshotId()
    const { author, message, ...rest } = about
    const snapshot = { ...rest, author: redact(author), message: redact(message), createdAt: now() }
    // Not waited for: if it fails, so does the transaction.
    void tx.beginSnapshot(id, snapshot)
    return id
  }
  return {
    id(): Promise<number> {
      opened ??= open()
      return opened
    },
    /** The last thing of a transaction. `row` is there when it is committed: null when nothing asked for a snapshot. */
    async finish(): Promise<{ row: Promise<SnapshotRow> | null }> {
      return { row: opened ? tx.finishSnapshot(await opened, about.operation) : null }
    },
  }
}

export interface SnapshotInput extends Omit<NewSnapshot, 'createdAt'> {
  now: () => number
}

export type LazySnapshot = ReturnType<typeof lazySnapshot>
