import type { ReadTx } from '../port/store.ts'
import type { PruneTail } from './pruned.ts'

/** What stays besides the last snapshot of each day and checkpoints. */
export interface KeepRules {
  /** Snapshots from this time on stay, in milliseconds since 1970. */
  since: number
  /** The newest ones stay, however old they are. At least the head does. */
  last: number
}

const PAGE = 1000

/** The newest snapshots, which stay; undefined: there are no snapshots. */
export async function findTail(
  tx: Pick<ReadTx, 'snapshots'>,
  { since, last }: KeepRules,
): Promise<PruneTail | undefined> {
  const [head] = await tx.snapshots({ limit: 1 })
  if (!head) return undefined
  let from = head.id
  for (let count = 1, isMore = true; isMore; ) {
    const page = await tx.snapshots({ before: from, limit: PAGE })
    const stays = page.findIndex(({ createdAt }, at) => createdAt < since && count + at >= last)
    const kept = stays < 0 ? page : page.slice(0, stays)
    count += kept.length
    from = kept.at(-1)?.id ?? from
    isMore = stays < 0 && page.length === PAGE
  }
  return { from, head: head.id }
}
