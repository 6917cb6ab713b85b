import type { Store } from '../core/store.ts'
import type { Boost } from '../core/store-heat.ts'
import { type SetTimer, setTimer as setRealTimer } from './timer.ts'

const DELAY_MS = 500
/** Nodes held at most. What is read beyond them before they are stored warms nothing. */
const MAX_NODES = 20_000

export interface WarmerInput {
  store: Pick<Store, 'write'>
  now: () => number
  onError: (error: unknown) => void
  setTimer?: SetTimer
  maxNodes?: number
}

export interface Warmer {
  /** These nodes were read: each will be warmer by `by`. Returns at once and never fails. */
  warm(keys: Iterable<number>, by: number): void
  /** Stores what was collected so far. */
  flush(): Promise<void>
}

/** Collects what reads warm and stores it in batches: a read neither waits for it nor fails with it. */
export function createWarmer(input: WarmerInput): Warmer {
  const { store, now, onError, setTimer = setRealTimer, maxNodes = MAX_NODES } = input
  let collected = new Map<number, Boost>()
  let flushing = Promise.resolve()
  let cancel: (() => void) | undefined

  function add(key: number, by: number): void {
    const known = collected.get(key)
    if (known) {
      known.by += by
      known.times++
    } else if (collected.size < maxNodes) collected.set(key, { key, by, times: 1 })
  }

  async function write(boosts: Boost[]): Promise<void> {
    try {
      await store.write((tx) => tx.boost(boosts, now()))
    } catch (error) {
      onError(error)
    }
  }

  function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    flushing = flushing.then(() => {
      const boosts = [...collected.values()]
      collected = new Map()
      return boosts.length === 0 ? undefined : write(boosts)
    })
    return flushing
  }

  return {
    warm(keys, by) {
      for (const key of keys) add(key, by)
      if (collected.size > 0) cancel ??= setTimer(() => void flush(), DELAY_MS)
    },
    flush,
  }
}
