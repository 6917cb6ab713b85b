import type { ChangeFeed } from '../../src/core/port/change-feed.ts'
import { soon } from './soon.ts'

export interface Heard {
  /** Every kind it was told of, in batches. */
  batches: string[][]
  stop(): void
  /** Until it was told of `kind`; then everything up to there. */
  until(kind: string): Promise<string[]>
}

/** Listens to a feed, quickly. */
export function listen(feed: ChangeFeed): Heard {
  const batches: string[][] = []
  const stop = feed.watch((kinds) => void batches.push([...kinds]), { intervalMs: 5 })
  return {
    batches,
    stop,
    async until(kind) {
      await soon(() => batches.flat()).toContain(kind)
      return batches.flat()
    },
  }
}
