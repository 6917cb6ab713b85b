import type { Block, NodeType } from '../../../core/model.ts'
import type { ParseOptions } from '../parse-options.ts'
import { Sections } from '../sections.ts'
import { codeBlocks, splitBlocks } from '../split.ts'
import { type Cursor, renderBlock } from './markdown-render.ts'
import { type Token, takeLinks, tokenizeBlocks } from './markdown-tokens.ts'

/** The tree of a Markdown text without front matter: blocks under the headings they follow. */
export function markdownBlocks(source: string, options: ParseOptions): Block[] {
  const cursor: Cursor = { ...tokenizeBlocks(source, options.maxBlocks), at: 0, redact: options.redact }
  const sections = new Sections(options.levels)
  while (cursor.at < cursor.tokens.length) {
    const token = cursor.tokens[cursor.at++] as Token
    const blocks = blocksOf(cursor, token, options)
    const isHeading = token.type === 'heading_open'
    if (isHeading && blocks[0]) sections.openSection(Number(token.tag.slice(1)), blocks[0])
    else sections.append(blocks)
  }
  return sections.roots
}

function blocksOf(cursor: Cursor, token: Token, options: ParseOptions): Block[] {
  if (token.type === 'fence' || token.type === 'code_block') {
    return codeBlocks({ info: token.info.trim(), body: token.content }, options)
  }
  if (token.type === 'heading_open') return splitBlocks([headingBlock(cursor)], options)
  const text = renderBlock(cursor, token)
  if (text.trim() === '') return []
  const block: Block = { type: nodeTypeOf(token), format: 'plain', text, children: [] }
  return splitBlocks([withLinks(cursor, block)], options)
}

/** Kept even when empty: it still opens a section. Always one line, as its label and its path are. */
function headingBlock(cursor: Cursor): Block {
  const inline = cursor.tokens[cursor.at] as Token
  inline.content = withoutHeadingId(inline.content)
  const text = renderBlock(cursor, inline)
  cursor.at += 2
  return withLinks(cursor, { type: 'heading', format: 'plain', text: joinLines(text), children: [] })
}

function withLinks({ env }: Cursor, block: Block): Block {
  const links = takeLinks(env)
  return links.length === 0 ? block : { ...block, links }
}

function joinLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
}

/** `## Title {#id}`: the id is for links between HTML pages. */
function withoutHeadingId(title: string): string {
  if (!title.endsWith('}')) return title
  const start = title.lastIndexOf('{#')
  const isId = start >= 0 && /^\{#[^\s{}]+\}$/.test(title.slice(start))
  return isId ? title.slice(0, start).trimEnd() : title
}

function nodeTypeOf(token: Token): NodeType {
  switch (token.type) {
    case 'bullet_list_open':
    case 'ordered_list_open':
    case 'dl_open':
      return 'list'
    case 'table_open':
      return 'table'
    default:
      return 'text'
  }
}
