import { pageOfBlocks } from '../../../core/answer-page.ts'
import { joinCursor, splitPlace } from '../../../core/cursor-parts.ts'
import { DEFAULT_ROOM, MAX_ROOM } from '../../../core/find/budget.ts'
import type { Paged } from '../../../core/history/history.ts'
import type { VersionRow } from '../../../core/port/store.ts'

/** For the lines above and below the blocks of a page. */
const FRAME_BYTES = 400

export interface VersionPageInput<T> {
  found: Paged<T>
  /** Of this call. */
  cursor: VersionCursor
  /** The call says how many it wants, and gets them. */
  isCounted: boolean
  gap: string
  blockOf: (row: T) => string
  /** `after` for the rows behind a row. */
  cursorOf: (row: T) => string
  /** `after` for a page that begins with the first row found. */
  start: (first: T) => string
}

export interface VersionPage<T> {
  rows: T[]
  blocks: string[]
  /** `after` of the next page; null at the end. */
  next: string | null
}

/** Where a page begins: after a row, and after a number of characters of the text of the next one. */
export interface VersionCursor {
  after?: string
  from: number
}

/** `7` or `7:3960`. An invalid cursor is refused where it is used. */
export function versionCursor(after: string | undefined): VersionCursor {
  if (after === undefined) return { from: 0 }
  const { name, from = 0 } = splitPlace(after)
  return { after: name, from }
}

/** As many of the rows that were found as an answer holds. */
export function pageOfVersions<T extends VersionRow>(input: VersionPageInput<T>): VersionPage<T> {
  const { found, cursor, isCounted, gap, blockOf, cursorOf, start } = input
  const { items } = found
  const room = (isCounted ? MAX_ROOM : DEFAULT_ROOM) - FRAME_BYTES
  const { blocks, done, part } = pageOfBlocks(blocksOf(items, blockOf), { room, gap, from: cursor.from })
  const [first] = items
  const last = items[done - 1]
  if (part > 0 && first) {
    const after = cursor.after ?? start(first)
    return { rows: [first], blocks, next: joinCursor(after, part) }
  }
  const isCut = done < items.length && last !== undefined
  return { rows: items.slice(0, done), blocks, next: isCut ? cursorOf(last) : found.next }
}

function* blocksOf<T>(items: readonly T[], blockOf: (row: T) => string): Generator<string> {
  for (const row of items) yield blockOf(row)
}

/** The line above a text that continues in the middle of a row. `name`: how the answer names rows. */
export function restLines<T>(
  { rows: [first] }: VersionPage<T>,
  { from }: VersionCursor,
  name: (row: T) => string,
): string[] {
  return first && from > 0 ? [`… rest: ${name(first)}`] : []
}
