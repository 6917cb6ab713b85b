import type { OutlinePlace, OutlineRow } from '../port/outline.ts'
import type { ReadTx } from '../port/store.ts'

/** Most nodes have few children, some have thousands: pages grow. */
const FIRST_PAGE = 8
const LARGEST_PAGE = 512

export type Pages = AsyncGenerator<OutlineRow[]>

/** Reads an outline from the top down. What is below a node is read together with what is below those that follow it. */
export interface OutlineReader {
  /** The children of a node in order, or with null every root, in pages; those after `after`. */
  from(parentKey: number | null, after?: OutlinePlace): Pages
  below(row: OutlineRow): Pages
}

export function createOutlineReader(tx: ReadTx): OutlineReader {
  // Not a weak map: those cost the garbage collector more than everything else here.
  const followers = new Map<OutlineRow, OutlineRow[]>()
  const ahead = new Map<number, OutlineRow[]>()

  function expect(rows: OutlineRow[]): void {
    for (const row of rows) followers.set(row, rows)
  }

  async function* from(parentKey: number | null, after?: OutlinePlace): Pages {
    let last = after
    for (let limit = FIRST_PAGE; ; limit = Math.min(2 * limit, LARGEST_PAGE)) {
      const page = await tx.outline(parentKey, { limit, ...(last ? { after: last } : {}) })
      expect(page)
      yield page
      if (page.length < limit) return
      last = page.at(-1)
    }
  }

  async function* below(row: OutlineRow): Pages {
    if (row.children === 0) return
    if (row.children > LARGEST_PAGE) return yield* from(row.key)
    if (!ahead.has(row.key)) await readAhead(row)
    const children = ahead.get(row.key) ?? []
    ahead.delete(row.key)
    yield children
  }

  async function readAhead(row: OutlineRow): Promise<void> {
    const rows = followers.get(row) ?? [row]
    const parents = fewParents(rows.slice(rows.indexOf(row)))
    const children = Map.groupBy(await tx.outlineChildren(parents), ({ parentKey }) => parentKey as number)
    for (const [key, found] of children) {
      expect(found)
      ahead.set(key, found)
    }
  }

  return { from, below }
}

/** As many as have no more children than a page; the first in any case. */
function fewParents(rows: readonly OutlineRow[]): number[] {
  const parents: number[] = []
  let count = 0
  for (const { key, children } of rows) {
    if (children === 0) continue
    count += children
    if (count > LARGEST_PAGE) break
    parents.push(key)
  }
  return parents
}
