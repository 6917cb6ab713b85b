import { MemoryError } from '../errors.ts'
import { utf8Length } from '../tokens.ts'

/** How long one text of a door may be. */
export interface TextLimit {
  /** In UTF-8. */
  maxBytes: number
  /** The setting that raises it. */
  setting: string
}

/** What one text may be made of, by whichever door: paragraphs, headings, list items, cells of tables, blocks of code. */
export const MAX_BLOCKS = 50_000

/** A text is made of more than one write may store. `found` is counted, or estimated where it was not read to its end. */
export class TooManyBlocks extends MemoryError {
  /** `650000 blocks`, and how many there may be. */
  readonly found: string
  readonly most: number

  constructor(found: string, most: number) {
    const message = `the text has ${found}, and one write may have ${most}; write it in parts`
    // What files call it: it may come from another thread, and is then known by that alone.
    super('INVALID_INPUT', message, { detail: 'EINVAL' })
    this.found = found
    this.most = most
  }
}

/** What is wrong with a text of `bytes` bytes; undefined: it fits. */
export function textTooLong(bytes: number, { maxBytes, setting }: TextLimit): string | undefined {
  if (bytes <= maxBytes) return undefined
  return `the text has ${bytes} bytes, and it may have ${maxBytes}; write less, or raise ${setting}`
}

/** Throws INVALID_INPUT for a text that is too long. Before anything is made of it. */
export function checkTextLength(text: string, limit: TextLimit): void {
  const problem = textTooLong(utf8Length(text), limit)
  if (problem !== undefined) throw new MemoryError('INVALID_INPUT', problem)
}
