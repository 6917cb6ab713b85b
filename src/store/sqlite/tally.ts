import type { Context } from './context.ts'
import { counterWrites } from './counters.ts'
import { statement } from './statements.ts'

interface Counted {
  type: string
  tokens: number
  mark: Buffer | null
}

/**
 * What a transaction did to the counters and to the state digest, added up in memory and written once.
 * The digest is the sum of the marks of all live nodes, modulo 2^64: adding and taking away cost one node each.
 */
export function createTally({ db, spaceId }: Pick<Context, 'db' | 'spaceId'>) {
  const addCounters = counterWrites({ db, spaceId })
  const digestOf = statement<[number], { state_digest: Buffer }>(
    db,
    'SELECT state_digest FROM spaces WHERE id = ?',
  )
  const setState = statement<[number | null, Buffer, number]>(
    db,
    'UPDATE spaces SET head_id = ?, state_digest = ? WHERE id = ?',
  )
  const counts = new Map<string, number>()
  let marks = 0n

  function count(node: Counted): void {
    bumpBy('nodes', 1)
    bumpBy(`nodes.${node.type}`, 1)
    bumpBy('tokens', node.tokens)
    if (node.mark) marks += node.mark.readBigUInt64BE()
  }
  function flushCounts(): void {
    addCounters(counts)
    counts.clear()
  }
  function bumpBy(name: string, by: number): void {
    counts.set(name, (counts.get(name) ?? 0) + by)
  }

  return {
    add: count,
    /** A count that is not of nodes. */
    bump: bumpBy,
    reset(): void {
      counts.clear()
      marks = 0n
    },
    flushCounts,
    /** Writes what was added up, and who is the head now; the new state digest as 16 hex digits. */
    flush(headId: number | null): string {
      flushCounts()
      const digest = digestOf().get(spaceId)?.state_digest as Buffer
      const next = Buffer.alloc(8)
      next.writeBigUInt64BE(BigInt.asUintN(64, digest.readBigUInt64BE() + marks))
      setState().run(headId, next, spaceId)
      marks = 0n
      return next.toString('hex')
    },
  }
}

export type Tally = ReturnType<typeof createTally>
