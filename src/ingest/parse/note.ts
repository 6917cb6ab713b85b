import type { Block } from '../../core/model.ts'
import { ParseError } from '../../core/parse-error.ts'
import { parseMarkdown } from './markdown.ts'
import type { ParseOptions } from './parse-options.ts'
import { splitBlocks } from './split.ts'
import { normalizeText } from './whitespace.ts'

/** What an agent wrote, as Markdown. A door never refuses a text: what does not parse is plain text. */
export function parseNote(text: string, options: ParseOptions): Block[] {
  try {
    const blocks = parseMarkdown(text, options)
    if (blocks.length > 0) return blocks
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
  }
  const plain = normalizeText(text)
  return splitBlocks([{ type: 'text', format: 'plain', text: plain, children: [] }], options)
}
