import type { Block, Link, NodeType } from '../../../core/model.ts'
import {
  attribute,
  CONTROLS,
  DRAWINGS,
  HEADINGS,
  type HtmlElement,
  type HtmlNode,
  isElement,
  LISTS,
  MEDIA,
  PREFORMATTED,
  rawText,
  SKIPPED,
  shownChildren,
} from '../html-elements.ts'
import type { Page } from '../html-redact.ts'
import { withoutKeys } from '../keys.ts'
import type { ParseOptions } from '../parse-options.ts'
import { checkTags } from '../part-limit.ts'
import { Sections } from '../sections.ts'
import { codeBlocks, splitBlocks } from '../split.ts'
import { normalizeSource } from '../whitespace.ts'
import { type FlowPiece, flowPieces } from './html-flow.ts'
import { drawingBlock, embedBlock } from './html-media.ts'
import { captionOf, codeOf, HtmlRenderer, languageOf } from './html-render.ts'
import { htmlTree } from './html-tree.ts'
import { mathBlock } from './math.ts'

/** The tree of an HTML text, even a malformed one: the same as of equivalent Markdown. */
export function parseHtml(text: string, options: ParseOptions): Block[] {
  const page = { source: normalizeSource(text), redact: options.redact }
  checkTags(page.source)
  const sections = new Sections()
  const tree = htmlTree(page.source)
  takeOutKeys(tree, options)
  for (const piece of flowPieces(tree.children)) {
    const blocks = blocksOf(piece, page, options)
    const level =
      piece.kind === 'block' && HEADINGS.has(piece.element.name) ? piece.element.name.slice(1) : null
    if (level !== null && blocks[0]) sections.openSection(Number(level), blocks[0])
    else sections.append(blocks)
  }
  return sections.roots
}

/** A page may have every line of a key in a separate paragraph. */
function takeOutKeys(tree: HtmlElement, options: ParseOptions): void {
  const places: { children: HtmlNode[]; at: number }[] = []
  const texts: string[] = []
  const visit = ({ children }: HtmlElement) => {
    for (const [at, child] of children.entries()) {
      if (!isElement(child)) {
        places.push({ children, at })
        texts.push(child)
      } else if (!SKIPPED.has(child.name)) visit(child)
    }
  }
  visit(tree)
  for (const [i, text] of withoutKeys(texts, options).entries()) {
    const { children, at } = places[i] as { children: HtmlNode[]; at: number }
    children[at] = text
  }
}

function blocksOf(piece: FlowPiece, page: Page, options: ParseOptions): Block[] {
  if (piece.kind === 'block' && PREFORMATTED.has(piece.element.name)) {
    return codeBlocks({ info: languageOf(piece.element), body: codeOf(piece.element) }, options)
  }
  const blocks = piece.kind === 'inline' ? inlineBlocks(piece, page) : elementBlocks(piece.element, page)
  return splitBlocks(blocks, options)
}

/** One text; but images or formulas outside a paragraph are separate blocks. */
function inlineBlocks({ nodes, isParagraph }: FlowPiece & { kind: 'inline' }, page: Page): Block[] {
  const alone = isParagraph ? undefined : onlyMedia(nodes)
  if (!alone) return rendered('text', page, (renderer) => renderer.renderFlow(nodes).join('\n\n'))
  return alone
    .map((element) => (element.name === 'math' ? mathBlock(element, page) : embedBlock(element)))
    .filter((block) => block !== undefined)
}

/** Around an image these say something about it. */
const MEANINGFUL = new Set(['a', 'code', 'knowledge', ...CONTROLS])

/** The images and formulas when there is nothing else that says anything. */
function onlyMedia(nodes: readonly HtmlNode[]): HtmlElement[] | undefined {
  const found: HtmlElement[] = []
  for (const node of nodes) {
    if (!isElement(node)) {
      if (node.trim() !== '') return undefined
    } else if (node.name === 'img' || node.name === 'math') found.push(node)
    else if (node.name !== 'br' && node.name !== 'input' && !SKIPPED.has(node.name)) {
      const inner = MEANINGFUL.has(node.name) ? undefined : onlyMedia(shownChildren(node))
      if (!inner) return undefined
      for (const element of inner) found.push(element)
    }
  }
  return found
}

function elementBlocks(element: HtmlElement, page: Page): Block[] {
  const { name } = element
  if (MEDIA.has(name)) return [embedBlock(element)].filter((block) => block !== undefined)
  if (DRAWINGS.has(name)) return [drawingBlock(element, page)].filter((block) => block !== undefined)
  if (HEADINGS.has(name))
    return rendered('heading', page, (renderer) => renderer.renderLine(titleOf(element)))
  if (LISTS.has(name)) return rendered('list', page, (renderer) => renderer.renderList(element))
  if (name === 'table') return tableBlocks(element, page)
  return rendered('text', page, (renderer) => renderer.renderQuotation(element))
}

/** A heading that is a link to itself is only its text. */
function titleOf(heading: HtmlElement): HtmlNode[] {
  return heading.children.flatMap((child) => {
    if (!isElement(child) || child.name !== 'a') return [child]
    const ids = [attribute(heading, 'id'), attribute(child, 'id'), attribute(child, 'name')]
    const isSelf = ids.some((id) => id !== undefined && attribute(child, 'href') === `#${id}`)
    return isSelf && /[\p{L}\p{N}]/u.test(rawText(child)) ? child.children : [child]
  })
}

/** A caption is a separate text: the first line of a table is its header. */
function tableBlocks(table: HtmlElement, page: Page): Block[] {
  const caption = captionOf(table)?.children ?? []
  return [
    ...rendered('text', page, (renderer) => renderer.renderLine(caption)),
    ...rendered('table', page, (renderer) => renderer.renderTable(table)),
  ]
}

function rendered(type: NodeType, page: Page, render: (renderer: HtmlRenderer) => string): Block[] {
  const renderer = new HtmlRenderer(page)
  const text = render(renderer)
  if (text.trim() === '') return []
  return [{ type, format: 'plain', text, ...linksOf(renderer.links), children: [] }]
}

function linksOf(links: Link[]): Pick<Block, 'links'> {
  return links.length === 0 ? {} : { links }
}
