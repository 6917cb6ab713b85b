import { EXPIRE_BATCH, findNextExpiry } from '../../core/keys/expire.ts'
import type { Store } from '../../core/port/store.ts'
import { CHECK_MS, type SetTimer, setIdleTimer } from '../timing/timer.ts'

/** Every write would ask again: it may meet a key of another process that expired less than this ago. */
const KNOWN_MS = 1000
/** Before another try where expired keys could not be removed. */
const RETRY_MS = 1000

export interface ExpiryParts {
  store: Store
  now: () => number
  /** Removes some of the expired keys; returns how many. */
  expire: () => Promise<number>
  /** Called once, until it works again. */
  onError: (error: unknown) => void
  setTimer?: SetTimer
}

export interface Expiry {
  /** Writes of the store, for operations on nodes: expired keys are removed first. */
  write: Store['write']
  /** Removes the expired keys now. Never fails: see `onError`. */
  sweep(): Promise<void>
  /** Removes keys the moment they expire, until it is stopped: subscribers are notified of that too. */
  start(): { stop(): Promise<void> }
  /** A key may expire earlier than the next known one. */
  look(): void
}

/**
 * Expired keys are absent. No read shows them (`store/sqlite/search/expired.ts`), so no read has to remove them: a timer,
 * every tick and every write do. The database is queried each time: the clock may be set, and other processes
 * write too.
 */
export function createExpiry({ store, now, expire, onError, setTimer = setIdleTimer }: ExpiryParts): Expiry {
  let sweeping: Promise<void> | undefined
  let hasFailed = false
  let isStarted = false
  let round = 0
  let looks = 0
  let known: { next: number | null; askedAt: number } | undefined
  let cancel: () => void = () => undefined

  async function sweep(): Promise<void> {
    try {
      while ((await expire()) === EXPIRE_BATCH);
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onError(error)
      hasFailed = true
    }
    sweeping = undefined
  }

  function swept(): Promise<void> {
    sweeping ??= sweep()
    return sweeping
  }

  /** A broken database is reported by the write itself. */
  async function nextExpiry(): Promise<number | null> {
    const askedAt = performance.now()
    const asked = looks
    const next = await store.read(findNextExpiry).catch(() => null)
    // The answer may be older than the latest announcement.
    if (asked === looks) known = { next, askedAt }
    return next
  }

  /** Whether a key has expired, by the last known expiry. */
  function isDue(): boolean | undefined {
    if (!known || performance.now() - known.askedAt > KNOWN_MS) return undefined
    return known.next !== null && known.next <= now()
  }

  async function settle(): Promise<void> {
    const next = await nextExpiry()
    if (next === null || next > now()) return
    await swept()
    known = undefined
  }

  async function arm(): Promise<void> {
    const mine = ++round
    cancel()
    const next = await nextExpiry()
    if (next === null || mine !== round || !isStarted) return
    const waitMs = Math.max(hasFailed ? RETRY_MS : 0, next - now())
    // Not longer: a clock that is set moves the end.
    cancel = setTimer(() => void settle().then(arm), Math.min(waitMs, CHECK_MS))
  }

  return {
    write(operation, input, call) {
      // A write that does not wait for locks must not wait for this either.
      if (call?.wait === false || isDue() === false) return store.write(operation, input, call)
      return settle().then(() => store.write(operation, input, call))
    },
    sweep: settle,
    look() {
      known = undefined
      looks++
      if (isStarted) void arm()
    },
    start() {
      isStarted = true
      void arm()
      return {
        async stop() {
          isStarted = false
          round++
          cancel()
          await sweeping
        },
      }
    },
  }
}
