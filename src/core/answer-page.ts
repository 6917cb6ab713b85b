import { utf8End, utf8Length } from './tokens.ts'

/** How much of some blocks is on a page. */
export interface BlockPage {
  /** What the page shows, without the line that says how to go on. */
  blocks: string[]
  /** Blocks that are done with this page, from the first on. */
  done: number
  /** Characters of the block after them that this page and earlier ones have; 0: none. */
  part: number
}

export interface BlockPageOptions {
  /** In bytes, for the blocks and what stands between them. */
  room: number
  gap: string
  /** Characters of the first block that earlier pages have. */
  from?: number
}

/**
 * As many whole blocks as there is room for. Of a block that is longer than a page its beginning is there, up to the end of a line where
 * there is one, and the next page goes on behind it. Blocks are made as they are needed.
 */
export function pageOfBlocks(blocks: Iterable<string>, { room, gap, from = 0 }: BlockPageOptions): BlockPage {
  const shown: string[] = []
  let left = room
  for (const block of blocks) {
    const isFirst = shown.length === 0
    const text = isFirst ? rest(block, from) : block
    const bytes = utf8Length(text) + (isFirst ? 0 : utf8Length(gap))
    if (bytes > left && isFirst) {
      const end = endOfPart(text, left)
      // What was put before it is not part of it.
      const part = block.length - text.length + end
      return { blocks: [text.slice(0, end)], done: 0, part }
    }
    if (bytes > left) break
    shown.push(text)
    left -= bytes
  }
  return { blocks: shown, done: shown.length, part: 0 }
}

/** What begins in the middle of a line must not pass for a line of ours, whatever it says: it gets a backslash. */
function rest(block: string, from: number): string {
  const isWithinLine = from > 0 && block[from - 1] !== '\n'
  return `${isWithinLine ? '\\' : ''}${block.slice(from)}`
}

/** Behind the last line feed that has room, unless that is near the beginning. */
function endOfPart(text: string, bytes: number): number {
  const end = utf8End(text, 0, bytes)
  const line = text.lastIndexOf('\n', end - 1) + 1
  return line > end / 2 ? line : end
}
