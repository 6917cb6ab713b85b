import type { Block } from '../../../core/model.ts'
import { withoutKeys } from '../keys.ts'
import type { ParseOptions } from '../parse-options.ts'
import { splitBlocks } from '../split.ts'
import { normalizeSource } from '../whitespace.ts'
import { readableFrontMatter, splitFrontMatter } from './front-matter.ts'
import { markdownBlocks } from './markdown-blocks.ts'

/** The tree of a Markdown file, its front matter first. Invalid front matter is a warning and kept as text. */
export function parseMarkdown(text: string, options: ParseOptions): Block[] {
  const { frontMatter, body } = splitFrontMatter(normalizeSource(text))
  // Only keys, which may span several blocks: other secrets are found when their block is read.
  const blocks = markdownBlocks(withoutKeys([body], options).join(''), options)
  if (!frontMatter) return blocks
  return [...splitBlocks(readableFrontMatter(frontMatter, options), options), ...blocks]
}
