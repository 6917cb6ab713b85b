import { TooManyBlocks } from '../../../core/doors/text-limit.ts'
import type { Block } from '../../../core/model.ts'
import { ParseError } from '../../../core/parse-error.ts'
import type { ParseOptions } from '../parse-options.ts'
import { splitBlocks } from '../split.ts'
import { normalizeText } from '../whitespace.ts'
import { parseMarkdown } from './markdown.ts'

/** A text written by an agent, as Markdown, or as plain text if it does not parse. Throws only TooManyBlocks. */
export function parseNote(text: string, options: ParseOptions): Block[] {
  try {
    const blocks = parseMarkdown(text, options)
    if (blocks.length > 0) return blocks
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
  }
  return parsePlain(text, options)
}

/** As `parseNote`, for a text that must be accepted: one of too many blocks is plain text. */
export function parseAnyNote(text: string, options: ParseOptions): Block[] {
  try {
    return parseNote(text, options)
  } catch (error) {
    if (!(error instanceof TooManyBlocks)) throw error
    return parsePlain(text, options)
  }
}

function parsePlain(text: string, options: ParseOptions): Block[] {
  const plain = normalizeText(text)
  return splitBlocks([{ type: 'text', format: 'plain', text: plain, children: [] }], options)
}
