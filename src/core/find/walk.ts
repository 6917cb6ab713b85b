import type { OutlineRow } from '../port/outline.ts'
import type { OutlineReader } from './outline-reader.ts'

/** Siblings that are still to come, and how far below the top they stand. */
export interface Frame {
  level: number
  pages: AsyncIterator<OutlineRow[]>
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
  const open = frames.map(opened)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const row = top.rows[top.at++]
    if (row) {
      yield { row, level: top.level }
      if (top.level < depth && row.children > 0)
        open.push(opened({ level: top.level + 1, pages: reader.below(row) }))
      continue
    }
    const { value: page, done } = await top.pages.next()
    if (done) open.pop()
    else Object.assign(top, { rows: page, at: 0 })
  }
}

interface Open extends Frame {
  /** The page that is being walked, and how far. */
  rows: OutlineRow[]
  at: number
}

function opened(frame: Frame): Open {
  return { ...frame, rows: [], at: 0 }
}
