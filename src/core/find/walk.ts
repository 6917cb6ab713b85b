import type { OutlineRow } from '../store-outline.ts'
import type { OutlineReader } from './outline-reader.ts'

/** Siblings that are still to come, and how far below the top they stand. */
export interface Frame {
  level: number
  rows: AsyncIterator<OutlineRow>
}

export interface Step {
  row: OutlineRow
  level: number
}

/** The nodes of `frames`, the last of them first, each followed by what is below it down to level `depth`. */
export async function* walk(
  reader: OutlineReader,
  frames: readonly Frame[],
  depth: number,
): AsyncGenerator<Step> {
  const open = [...frames]
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { value: row, done } = await top.rows.next()
    if (done) {
      open.pop()
      continue
    }
    yield { row, level: top.level }
    if (top.level < depth && row.children > 0) open.push({ level: top.level + 1, rows: reader.below(row) })
  }
}
