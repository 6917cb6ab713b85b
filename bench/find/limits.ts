import type { Memory } from '../../src/index.ts'

/** Whether fewer hits are the first of more. */
export interface Limits {
  /** Answers that were compared, and those that were not the first hits of the longest answer. */
  checked: number
  differing: number
}

const LONGEST = 200
const LIMITS = [1, 3, 10, 25, 100]

/** Compares the answers to each query at several limits with the first hits of its longest answer. */
export async function compareLimits(memory: Memory, queries: readonly string[]): Promise<Limits> {
  let differing = 0
  for (const query of queries) {
    const idsAt = async (limit: number): Promise<string[]> =>
      (await memory.search({ query, limit, warm: false })).hits.map(({ id }) => id)
    const longest = await idsAt(LONGEST)
    for (const limit of LIMITS)
      if ((await idsAt(limit)).join() !== longest.slice(0, limit).join()) differing++
  }
  return { checked: queries.length * LIMITS.length, differing }
}
