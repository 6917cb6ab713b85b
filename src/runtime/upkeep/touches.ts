import { touchAll } from '../../core/heat/warm.ts'
import type { Touch } from '../../core/port/doors.ts'
import type { Store } from '../../core/port/store.ts'

/** The maximum number of pending documents. Touches beyond it are not counted. */
const MAX_DOCUMENTS = 20_000

export interface TouchesInput {
  store: Pick<Store, 'write'>
  now: () => number
  /** By how much a document's nodes are warmed each time. */
  boost: () => number
  onError: (error: unknown) => void
}

export interface Touches {
  /** Counts an access to these documents through their door. Never fails; callers do not wait until it is stored. */
  touch(documentIds: Iterable<number>): void
  /**
   * Resolves when all touches so far are stored: for answers that show access counts. It does not wait
   * for later ones.
   */
  settled(): Promise<void>
}

/** For a memory that is only read. */
export const NO_TOUCHES: Touches = { touch: () => undefined, settled: async () => undefined }

/**
 * Counts accesses through doors. They are stored immediately, but after the answer; later ones go into the next
 * batch. Unlike the heat of nodes they cannot wait: the count of a record is part of the next answer.
 */
export function createTouches({ store, now, boost, onError }: TouchesInput): Touches {
  let waiting = new Map<number, Touch>()
  let touchedAt = 0
  /** Whether the pending batch is already scheduled. */
  let isQueued = false
  /** The last batch so far: when it is stored, all before it are. */
  let last: Promise<void> = Promise.resolve()

  async function storeWaiting(): Promise<void> {
    const touches = [...waiting.values()]
    waiting = new Map()
    isQueued = false
    try {
      const warming = { at: touchedAt, by: boost() }
      await store.write(touchAll, { touches, warming }, { durable: false })
    } catch (error) {
      onError(error)
    }
  }

  function queue(): void {
    if (isQueued) return
    isQueued = true
    const before = last
    // Behind the answer, which is on its way.
    const answered = new Promise<void>((resolve) => setImmediate(resolve))
    last = answered.then(() => before).then(storeWaiting)
  }

  return {
    touch(documentIds) {
      for (const documentId of documentIds) {
        const known = waiting.get(documentId)
        if (known) known.times++
        else if (waiting.size < MAX_DOCUMENTS) waiting.set(documentId, { documentId, times: 1 })
      }
      touchedAt = now()
      if (waiting.size > 0) queue()
    },
    settled: () => last,
  }
}
