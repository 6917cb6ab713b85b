import { recordEvents, trimAudit } from '../../core/audit/append.ts'
import type { AuditFacts } from '../../core/audit/chain.ts'
import { chainOf, type ReadChain } from '../../core/audit/read-chain.ts'
import type { Store } from '../../core/port/store.ts'
import type { Redact } from '../../core/redact.ts'
import { type SetTimer, setTimer as setRealTimer } from '../timing/timer.ts'

export interface AuditLogParts {
  store: Pick<Store, 'read' | 'write'>
  redact: Redact
  /** Told how many events wait because they could not be stored, or are lost. */
  onError: (error: unknown, events: number) => void
  setTimer?: SetTimer
}

/** The audit of an open memory. Writes record themselves. */
export interface AuditLog {
  /** These were read: stored within a second. Never fails; nobody waits for it. */
  record(events: readonly AuditFacts[]): void
  /** Stores what was recorded so far. Never fails: what could not be stored is tried again later. */
  flush(): Promise<void>
  /** Stores it for the last time. */
  close(): Promise<void>
  /** Removes entries before this time, oldest first. */
  trim(before: number): Promise<void>
  read: ReadChain
}

const DELAY_MS = 500
/** Held at most while they cannot be stored. */
const MAX_EVENTS = 50_000
/** Others write in between. */
const TRIMMED_AT_ONCE = 1000

export function createAuditLog({ store, redact, onError, setTimer = setRealTimer }: AuditLogParts): AuditLog {
  let waiting: AuditFacts[] = []
  let flushing = Promise.resolve()
  let cancel: (() => void) | undefined
  let isClosed = false
  const read = chainOf(store)

  async function write(): Promise<void> {
    const events = waiting
    waiting = []
    if (events.length === 0) return
    try {
      const redacted = events.map((event) => ({ ...event, subject: redact(event.subject) }))
      await store.write(recordEvents, { events: redacted })
    } catch (error) {
      onError(error, events.length)
      if (isClosed) return
      waiting = [...events, ...waiting].slice(0, MAX_EVENTS)
      flushLater()
    }
  }

  function flushLater(): void {
    cancel ??= setTimer(() => void flush(), DELAY_MS)
  }

  function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    flushing = flushing.then(write)
    return flushing
  }

  async function isAnyOld(before: number): Promise<boolean> {
    return read(async ({ entries }) => {
      for await (const [first] of entries) return first !== undefined && first.at < before
      return false
    })
  }

  return {
    record(events) {
      if (events.length === 0) return
      if (waiting.length + events.length > MAX_EVENTS)
        return onError(new Error('too many events wait to be stored'), events.length)
      waiting.push(...events)
      flushLater()
    },
    flush,
    close() {
      isClosed = true
      return flush()
    },
    async trim(before) {
      // Without a write where there is nothing to remove.
      while (await isAnyOld(before)) await store.write(trimAudit, { before, limit: TRIMMED_AT_ONCE })
    },
    read,
  }
}

/** For a memory that is only read. */
export function readOnlyAudit(store: Pick<Store, 'read'>): AuditLog {
  return {
    record: () => undefined,
    flush: async () => undefined,
    close: async () => undefined,
    trim: async () => undefined,
    read: chainOf(store),
  }
}
