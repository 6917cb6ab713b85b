import type { OutlineRow, OutlineStart, Sizes, Walked } from '../../port/nodes.ts'
import type { ReadTx } from '../../port/store.ts'

/** Maximum number of nodes per read: pages grow up to this. */
const LARGEST_PAGE = 512

export type Step = Walked<'outline'>

export interface WalkInput {
  from: readonly OutlineStart[]
  depth: number
  /** The expected number of nodes, if known. */
  expected: number
  /** As in `outline`. */
  sizes?: Sizes
}

/**
 * Nodes in document order, and the first of them: these are requested immediately, together with other reads of the
 * same turn.
 */
export function walk(
  tx: ReadTx,
  input: WalkInput,
): { steps: AsyncIterable<Step>; first: Promise<Step | undefined> } {
  const { from, depth, expected, sizes } = input
  const read = (starts: readonly OutlineStart[], limit: number): Promise<Step[]> =>
    tx.outline(starts, { fields: 'outline', depth, limit, ...(sizes === undefined ? {} : { sizes }) })
  const limit = Math.min(Math.max(1, expected), LARGEST_PAGE)
  const page = read(from, limit)
  return { steps: inPages(read, from, { depth, limit, page }), first: page.then(([row]) => row) }
}

async function* inPages(
  read: (starts: readonly OutlineStart[], limit: number) => Promise<Step[]>,
  from: readonly OutlineStart[],
  { depth, limit, page }: { depth: number; limit: number; page: Promise<Step[]> },
): AsyncGenerator<Step> {
  /** The last node of each level. */
  const last: OutlineRow[] = []
  for (let [size, rows] = [limit, await page]; ; ) {
    for (const row of rows) {
      last[row.distance] = row
      last.length = row.distance + 1
      yield row
    }
    const end = rows.at(-1)
    if (!end || rows.length < size) return
    size = Math.min(2 * size, LARGEST_PAGE)
    rows = await read(startsAfter(end, last, { from, depth }), size)
  }
}

/** The rest after a node: its descendants, then the siblings after it and after each of its ancestors. */
function startsAfter(
  end: Step,
  last: readonly (OutlineRow | undefined)[],
  { from, depth }: { from: readonly OutlineStart[]; depth: number },
): OutlineStart[] {
  const starts: OutlineStart[] = []
  if (end.distance < depth && end.children > 0) starts.push({ parentKey: end.key, level: end.distance + 1 })
  for (let level = end.distance; level >= 0; level--) {
    const row = last[level]
    const given = from.filter((start) => (start.level ?? 0) === level)
    const isOneNode = given.some((start) => 'id' in start)
    if (!row) starts.push(...given)
    else if (!isOneNode) starts.push({ parentKey: row.parentKey, after: row, level })
  }
  return starts
}
