import { MemoryError } from '../errors.ts'
import { utf8Length } from '../tokens.ts'

/** The maximum length of one text of a door. */
export interface TextLimit {
  /** In UTF-8. */
  maxBytes: number
  /** The setting that raises it. */
  setting: string
}

/**
 * The maximum number of blocks of one text, at any door: paragraphs, headings, list items, table cells, code blocks.
 */
export const MAX_BLOCKS = 50_000

/** The text has more blocks than one write may store. `found` is counted, or estimated if parsing stopped early. */
export class TooManyBlocks extends MemoryError {
  /** `650000 blocks`, and the maximum. */
  readonly found: string
  readonly most: number

  constructor(found: string, most: number) {
    const message = `the text has ${found}; the maximum for one write is ${most}: write it in parts`
    // The code of the files door: from another thread, the error is known by it alone.
    super('INVALID_INPUT', message, { detail: 'EINVAL' })
    this.found = found
    this.most = most
  }
}

/** The problem with a text of `bytes` bytes; undefined: it fits. */
export function textTooLong(bytes: number, { maxBytes, setting }: TextLimit): string | undefined {
  if (bytes <= maxBytes) return undefined
  return `the text has ${bytes} bytes; the maximum is ${maxBytes}: write less, or raise ${setting}`
}

/** Throws INVALID_INPUT for a text that is too long, before it is parsed. */
export function checkTextLength(text: string, limit: TextLimit): void {
  const problem = textTooLong(utf8Length(text), limit)
  if (problem !== undefined) throw new MemoryError('INVALID_INPUT', problem)
}
