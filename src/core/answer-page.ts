import { utf8End, utf8Length } from './tokens.ts'

/** The blocks that fit on one page. */
export interface BlockPage {
  /** The content of the page, without the line that says how to continue. */
  blocks: string[]
  /** How many blocks, from the first, are complete after this page. */
  done: number
  /** Characters of the next block that this page and earlier ones show; 0: none. */
  part: number
}

export interface BlockPageOptions {
  /** In bytes, for the blocks and the gaps between them. */
  room: number
  gap: string
  /** Characters of the first block that earlier pages show. */
  from?: number
}

/**
 * As many whole blocks as fit. A block that is longer than a page is cut, at the end of a line if possible, and the
 * next page continues there. Blocks are generated on demand.
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
      // The prefix is not part of the block.
      const part = block.length - text.length + end
      return { blocks: [text.slice(0, end)], done: 0, part }
    }
    if (bytes > left) break
    shown.push(text)
    left -= bytes
  }
  return { blocks: shown, done: shown.length, part: 0 }
}

/**
 * The rest of a block. If it begins in the middle of a line it gets a backslash, so that it cannot pass for a line of
 * ours.
 */
function rest(block: string, from: number): string {
  const isWithinLine = from > 0 && block[from - 1] !== '\n'
  return `${isWithinLine ? '\\' : ''}${block.slice(from)}`
}

/** After the last line feed that fits, unless that is near the beginning. */
function endOfPart(text: string, bytes: number): number {
  const end = utf8End(text, 0, bytes)
  const line = text.lastIndexOf('\n', end - 1) + 1
  return line > end / 2 ? line : end
}
