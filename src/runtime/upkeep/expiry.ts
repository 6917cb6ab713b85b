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
  /** Removes some of the keys that have expired; tells how many. */
  expire: () => Promise<number>
  /** Told once, until it works again. */
  onError: (error: unknown) => void
  setTimer?: SetTimer
}

export interface Expiry {
  /** Writes of the store, for writers that work on nodes: what has expired is removed before. */
  write: Store['write']
  /** Removes what has expired now. Never fails: see `onError`. */
  sweep(): Promise<void>
  /** Removes keys the moment they expire, until it is stopped: subscribers are notified of that too. */
  start(): { stop(): Promise<void> }
  /** Something may expire earlier than what was known. */
  look(): void
}

/**
 * Keys whose time has come are absent. No read shows them (`store/sqlite/search/expired.ts`), so none has to remove them: a timer
 * does, every tick, and whoever writes. Which they are is asked of the database each time: the clock may be set, and others
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

  /** What is wrong with a database is for whoever writes to it to say. */
  async function nextExpiry(): Promise<number | null> {
    const askedAt = performance.now()
    const asked = looks
    const next = await store.read(findNextExpiry).catch(() => null)
    // Not what was so before somebody said that it may be otherwise.
    if (asked === looks) known = { next, askedAt }
    return next
  }

  /** Whether something has expired, by what was known a moment ago. */
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
      // Who does not wait for others must not wait for this either.
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
