import { EXPIRE_BATCH } from '../core/keys/expire.ts'
import type { ReadTx, Store } from '../core/store.ts'
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

const DUE = Symbol('something has expired')

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

  async function isDue(tx: ReadTx): Promise<boolean> {
    const next = await nextExpiry(tx)
    return next !== null && next <= now()
  }

  async function read<T>(fn: (tx: ReadTx) => Promise<T>): Promise<T> {
    const given = await store.read(async (tx) => ((await isDue(tx)) ? DUE : fn(tx)))
    if (given !== DUE) return given as T
    await swept()
    // Where it could not be removed (a memory that cannot be written), it is better shown than nothing at all.
    return store.read(fn)
  }

  async function arm(): Promise<void> {
    const mine = ++round
    cancel()
    const next = await store.read(nextExpiry).catch(() => null)
    if (next === null || mine !== round || !isStarted) return
    const waitMs = Math.max(hasFailed ? RETRY_MS : 0, next - now())
    // Not longer: a clock that is set moves the end.
    cancel = setTimer(() => void fire(), Math.min(waitMs, CHECK_MS))
  }

  async function fire(): Promise<void> {
    if (await store.read(isDue).catch(() => false)) await swept()
    await arm()
  }

  return {
    store: { read, write: store.write },
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

/** What is wrong with a database is for whoever reads from it to say. */
async function nextExpiry(tx: ReadTx): Promise<number | null> {
  try {
    return await tx.nextExpiry('key')
  } catch {
    return null
  }
}
