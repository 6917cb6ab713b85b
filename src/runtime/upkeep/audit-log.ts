import { recordEvents } from '../../core/audit/append.ts'
import type { AuditFacts } from '../../core/audit/chain.ts'
import { chainOf, type ReadChain } from '../../core/audit/read-chain.ts'
import { trimAudit } from '../../core/audit/retention.ts'
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
  /** Removes entries from the first up to this number. */
  trim(upTo: number): Promise<void>
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
    async trim(upTo) {
      while ((await store.write(trimAudit, { upTo, limit: TRIMMED_AT_ONCE })) > 0);
    },
    read: chainOf(store),
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
