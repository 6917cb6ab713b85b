import { TooManyBlocks } from '../../../core/doors/text-limit.ts'
import { linksIn } from '../../../core/link-text.ts'
import type { Block } from '../../../core/model.ts'
import { withoutKeys } from '../keys.ts'
import type { ParseOptions } from '../parse-options.ts'
import { splitBlocks } from '../split.ts'
import { normalizeSource } from '../whitespace.ts'

/** Blank lines, which may hold spaces. */
const GAP = /\n(?:[ \t]*\n)+/

/** A plain text, one node a paragraph. Nothing in it is markup but `[[links]]`. */
export function parseText(text: string, options: ParseOptions): Block[] {
  const [source = ''] = withoutKeys([normalizeSource(text)], options)
  const paragraphs = source.split(GAP).filter((paragraph) => paragraph.trim() !== '')
  const { maxBlocks = Number.POSITIVE_INFINITY } = options
  if (paragraphs.length > maxBlocks) throw new TooManyBlocks(`${paragraphs.length} paragraphs`, maxBlocks)
  return splitBlocks(paragraphs.map(toBlock), options)
}

function toBlock(paragraph: string): Block {
  const { text, links } = linksIn(paragraph)
  const block: Block = { type: 'text', format: 'plain', text, children: [] }
  return links.length === 0 ? block : { ...block, links }
}
