import { boostNodes } from '../../core/heat/warm.ts'
import type { Boost, NodeName } from '../../core/port/heat.ts'
import type { Store } from '../../core/port/store.ts'
import { type SetTimer, setTimer as setRealTimer } from '../timing/timer.ts'

const DELAY_MS = 500
/** The maximum number of pending nodes. Reads beyond it warm nothing. */
const MAX_NODES = 20_000

export interface WarmerInput {
  store: Pick<Store, 'write'>
  now: () => number
  /** Called with the number of nodes that did not get warmer. */
  onError: (error: unknown, nodes: number) => void
  setTimer?: SetTimer
  maxNodes?: number
}

export interface Warmer {
  /** Warms each of these nodes by `by`. Never fails; callers do not wait until it is stored. */
  warm(nodes: Iterable<NodeName>, by: number): Promise<void>
  /** Stores everything collected so far. */
  flush(): Promise<void>
}

/** For a memory that is only read. */
export const NO_WARMER: Warmer = { warm: async () => undefined, flush: async () => undefined }

interface Batch {
  boosts: Map<string, Boost>
  stored: PromiseWithResolvers<void>
}

const newBatch = (): Batch => ({ boosts: new Map(), stored: Promise.withResolvers() })

/** Collects the heat of reads and stores it in batches: a read neither waits for it nor fails with it. */
export function createWarmer(input: WarmerInput): Warmer {
  const { store, now, onError, setTimer = setRealTimer, maxNodes = MAX_NODES } = input
  let batch = newBatch()
  let flushing = Promise.resolve()
  let cancel: (() => void) | undefined

  function add(node: NodeName, by: number): void {
    const known = batch.boosts.get(node.id)
    if (known) {
      known.by += by
      known.times++
    } else if (batch.boosts.size < maxNodes) batch.boosts.set(node.id, { ...node, by, times: 1 })
  }

  async function write(): Promise<void> {
    const { boosts, stored } = batch
    batch = newBatch()
    try {
      if (boosts.size > 0)
        await store.write(boostNodes, { boosts: [...boosts.values()], at: now() }, { durable: false })
    } catch (error) {
      onError(error, boosts.size)
    }
    stored.resolve()
  }

  function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    flushing = flushing.then(write)
    return flushing
  }

  return {
    warm(nodes, by) {
      for (const node of nodes) add(node, by)
      if (batch.boosts.size === 0) return Promise.resolve()
      cancel ??= setTimer(() => void flush(), DELAY_MS)
      return batch.stored.promise
    },
    flush,
  }
}
