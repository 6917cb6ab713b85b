import type { Operation } from '../port/store.ts'
import { auditHead } from './append.ts'
import type { Chain } from './read-chain.ts'

/**
 * Up to which entry all are from before this time. An entry from the future was recorded when the clock was wrong: it does not
 * hold up the rest.
 */
export async function oldUpTo(
  { entries, head }: Pick<Chain, 'entries' | 'head'>,
  { before, now }: { before: number; now: number },
): Promise<number> {
  let last = head.removedNumber
  for await (const page of entries)
    for (const { number, at } of page) {
      if (at < before) last = number
      else if (at <= now) return last
    }
  return last
}

export interface TrimInput {
  upTo: number
  /** Others wait while it runs. */
  limit: number
}

/** Removes entries from the beginning of the chain. Returns how many. */
export const trimAudit: Operation<TrimInput, number> = {
  name: 'trim-audit',
  async run(tx, { upTo, limit }) {
    const head = await auditHead(tx)
    const number = Math.min(upTo, head.number, head.removedNumber + limit)
    if (number <= head.removedNumber) return 0
    const [last] = await tx.scan('audit', { after: [number - 1], limit: 1 })
    // A chain with gaps is left as it is, for `verify`.
    if (last?.number !== number) return 0
    const removed = { removedNumber: number, removedHash: last.hash }
    await tx.commit({ audit: { head: { ...head, ...removed }, removeUpTo: number }, changes: ['audit'] })
    return number - head.removedNumber
  },
}
