import { touchAll } from '../../core/heat/warm.ts'
import type { Touch } from '../../core/port/doors.ts'
import type { Store } from '../../core/port/store.ts'

/** Documents held at most. What is asked for beyond them before they are stored is not counted. */
const MAX_DOCUMENTS = 20_000

export interface TouchesInput {
  store: Pick<Store, 'write'>
  now: () => number
  /** By how much a document's nodes are warmed each time. */
  boost: () => number
  onError: (error: unknown) => void
}

export interface Touches {
  /** These documents were asked for through their door. Never fails; nobody waits until it is stored. */
  touch(documentIds: Iterable<number>): void
  /**
   * Resolves when everything that was touched so far is stored: for who shows how often something was asked for. It does not wait
   * for what is touched later.
   */
  settled(): Promise<void>
}

/** For a memory that is only read. */
export const NO_TOUCHES: Touches = { touch: () => undefined, settled: async () => undefined }

/**
 * Counts what is asked for through doors. It is stored at once but behind the answer: what comes meanwhile goes into the next
 * batch. Not with the heat of nodes, which can wait: how often a record was asked for is part of the next answer.
 */
export function createTouches({ store, now, boost, onError }: TouchesInput): Touches {
  let waiting = new Map<number, Touch>()
  let touchedAt = 0
  /** Whether what is waiting has its turn already. */
  let isQueued = false
  /** The last batch so far: those before it are stored when it is. */
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
