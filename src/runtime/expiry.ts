import { EXPIRE_BATCH } from '../core/keys/expire.ts'
import type { Store } from '../core/store.ts'
import { CHECK_MS, type SetTimer, setIdleTimer } from './timer.ts'

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
  /** The same store, of which nobody reads what has expired: whoever comes first removes it. */
  store: Store
  /** Removes keys the moment they expire, until it is stopped: who is told of changes is told of that too. */
  start(): { stop(): Promise<void> }
  /** Something may expire earlier than what was known. */
  look(): void
}

/**
 * Keys whose time has come are absent. The door that they came through knows that by itself; everybody else sees nodes, which
 * have no time. So they are removed: when they expire, and before anybody reads who comes earlier, as after a pause, or where
 * another process stored them. Which they are is asked of the database each time: the clock may be set, and others write too.
 */
export function createExpiry({ store, now, expire, onError, setTimer = setIdleTimer }: ExpiryParts): Expiry {
  let sweeping: Promise<void> | undefined
  let hasFailed = false
  let isStarted = false
  let round = 0
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

  /** What is wrong with a database is for whoever reads from it to say. */
  const nextExpiry = (): Promise<number | null> => store.read((tx) => tx.nextExpiry('key')).catch(() => null)

  async function settle(): Promise<void> {
    const next = await nextExpiry()
    if (next !== null && next <= now()) await swept()
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
    store: {
      async read(fn) {
        // Where it could not be removed (a memory that cannot be written), it is better shown than nothing at all.
        await settle()
        return store.read(fn)
      },
      write: store.write,
    },
    look: () => void (isStarted && arm()),
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
