import type { Redact } from './redact.ts'
import type { NewSnapshot, SnapshotRow, WriteTx } from './store.ts'

/**
 * The one snapshot of a transaction, opened by the first thing that needs it: a call that changes nothing leaves no
 * trace.
 */
export function lazySnapshot(tx: WriteTx, redact: Redact, about: NewSnapshot) {
  let opened: Promise<number> | undefined
  return {
    id(): Promise<number> {
      opened ??= tx.beginSnapshot({ ...about, author: redact(about.author), message: redact(about.message) })
      return opened
    },
    /** The snapshot as it was committed, or null when nothing asked for one. */
    async finish(): Promise<SnapshotRow | null> {
      return opened ? tx.finishSnapshot(await opened, about.operation) : null
    },
  }
}

export type LazySnapshot = ReturnType<typeof lazySnapshot>
