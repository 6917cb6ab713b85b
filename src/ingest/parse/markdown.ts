import type { Block } from '../../core/model.ts'
import type { Redact } from '../../core/redact.ts'
import { frontMatterBlocks, splitFrontMatter } from './front-matter.ts'
import { markdownBlocks } from './markdown-blocks.ts'
import { splitBlocks } from './split.ts'
import { normalizeNewlines } from './whitespace.ts'

export interface MarkdownOptions {
  /** No block is longer than this, by `estimateTokens`; longer ones are split. */
  maxNodeTokens: number
  redact?: Redact
}

/** The tree of a Markdown file, its front matter first. Throws ParseError only for a bad front matter. */
export function parseMarkdown(text: string, options: MarkdownOptions): Block[] {
  const { frontMatter, body } = splitFrontMatter(normalizeSource(text))
  const { maxNodeTokens, redact = (secret: string) => secret } = options
  // As a whole: a key may go over several blocks, and a long block is split.
  const blocks = markdownBlocks(redact(body), maxNodeTokens)
  if (!frontMatter) return blocks
  const preamble = frontMatterBlocks(frontMatter).map((block) => redactBlock(block, redact))
  return [...splitBlocks(preamble, maxNodeTokens), ...blocks]
}

/** Not its source: what stands for a secret might mean something else in YAML. */
function redactBlock(block: Block, redact: Redact): Block {
  const children = block.children.map((child) => redactBlock(child, redact))
  return { ...block, text: redact(block.text), children }
}

/** No BOM, LF line ends, no NUL and no half of a surrogate pair. */
function normalizeSource(text: string): string {
  const source = normalizeNewlines(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).toWellFormed()
  return source.includes('\0') ? source.replaceAll('\0', '\ufffd') : source
}
