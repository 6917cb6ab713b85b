import type { Link } from '../../../core/model.ts'
import {
  attribute,
  DRAWINGS,
  HEADINGS,
  type HtmlElement,
  type HtmlNode,
  isElement,
  LISTS,
  PREFORMATTED,
  rawText,
  SKIPPED,
} from '../html-elements.ts'
import type { Page } from '../html-redact.ts'
import { indent, renderNestedCode } from '../markdown-text.ts'
import { flowPieces } from './html-flow.ts'
import { InlineText, oneLine } from './html-inline.ts'

/** Lists nested deeper are text: every level adds to every line. */
const MAX_LIST_DEPTH = 14

/** Renders blocks to the texts that Markdown would give, and collects their links. */
export class HtmlRenderer {
  readonly links: Link[] = []
  readonly #page: Page
  #listDepth = 0

  constructor(page: Page) {
    this.#page = page
  }

  /** The blocks among some nodes, without the empty ones. */
  renderFlow(nodes: readonly HtmlNode[]): string[] {
    return flowPieces(nodes)
      .map((piece) =>
        piece.kind === 'inline' ? this.#inline(piece.nodes).text.trim() : this.#block(piece.element),
      )
      .filter((text) => text !== '')
  }

  renderLine(nodes: readonly HtmlNode[]): string {
    return oneLine(this.#inline(nodes))
  }

  /** One `- ` line per item; its other content is below it, indented by two. A definition is an item of its term. */
  renderList(list: HtmlElement): string {
    if (this.#listDepth >= MAX_LIST_DEPTH) return this.renderLine(list.children)
    this.#listDepth++
    const items: string[] = []
    for (const { name, nodes } of itemsOf(list.children)) {
      const parts = this.renderFlow(nodes)
      if (parts.length === 0) continue
      const isBelow = name === 'dd' || LISTS.has(name)
      const item = LISTS.has(name) ? parts.join('\n') : `- ${indent(parts.join('\n'))}`
      items.push(isBelow && items.length > 0 ? `  ${indent(item)}` : item)
    }
    this.#listDepth--
    return items.join('\n')
  }

  /** Rows of tab-separated cells. */
  renderTable(table: HtmlElement): string {
    return rowsOf(table)
      .map((row) => row.map((cell) => this.renderLine(cell).replaceAll('\t', ' ')))
      .filter((row) => row.some((cell) => cell !== ''))
      .map((row) => row.join('\t'))
      .join('\n')
  }

  renderQuotation(quotation: HtmlElement): string {
    return this.renderFlow(quotation.children).join('\n\n')
  }

  #block(element: HtmlElement): string {
    const { name, children } = element
    if (LISTS.has(name)) return this.renderList(element)
    if (HEADINGS.has(name)) return this.renderLine(children)
    if (PREFORMATTED.has(name)) return renderNestedCode(languageOf(element), codeOf(element))
    if (name === 'blockquote') return this.renderQuotation(element)
    if (name === 'table') return this.#captionedTable(element)
    // Of a drawing in a list or a quotation only its text is kept.
    return DRAWINGS.has(name) ? this.renderLine(children) : this.renderLine([element])
  }

  #captionedTable(table: HtmlElement): string {
    const caption = captionOf(table)
    const parts = [caption ? this.renderLine(caption.children) : '', this.renderTable(table)]
    return parts.filter((part) => part !== '').join('\n')
  }

  #inline(nodes: readonly HtmlNode[]): InlineText {
    const inline = new InlineText(this.#page).addNodes(nodes)
    for (const link of inline.links) this.links.push(link)
    return inline
  }
}

/** A newline right after the tag is not part of the code. */
export function codeOf(pre: HtmlElement): string {
  const [first] = pre.children
  const code = rawText(pre)
  return typeof first === 'string' && first.startsWith('\n') ? code.slice(1) : code
}

/** The language of code, as `class="language-js"` says it. Empty when unknown. */
export function languageOf(pre: HtmlElement): string {
  for (const element of [pre, ...pre.children.filter(isElement)]) {
    const names = attribute(element, 'class')?.split(/\s+/) ?? []
    const language = names.find((name) => /^lang(?:uage)?-./.test(name))
    if (language) return language.slice(language.indexOf('-') + 1)
  }
  return ''
}

export function captionOf(table: HtmlElement): HtmlElement | undefined {
  return table.children.find((child): child is HtmlElement => isElement(child) && child.name === 'caption')
}

interface Item {
  /** `li`, `dt`, `dd`, or the items of a list in the place of an item. */
  name: string
  nodes: readonly HtmlNode[]
}

/** Content beside the items is an item too. */
function itemsOf(nodes: readonly HtmlNode[]): Item[] {
  const items: Item[] = []
  let loose: HtmlNode[] = []
  const close = () => {
    if (loose.length > 0) items.push({ name: 'li', nodes: loose })
    loose = []
  }
  for (const node of nodes) {
    const name = isElement(node) ? node.name : ''
    if (isElement(node) && /^(?:li|dt|dd)$/.test(name)) {
      close()
      items.push({ name, nodes: node.children })
    } else if (isElement(node) && name === 'div') {
      close()
      for (const item of itemsOf(node.children)) items.push(item)
    } else if (isElement(node) && LISTS.has(name)) {
      close()
      items.push({ name, nodes: [node] })
    } else if (!SKIPPED.has(name)) loose.push(node)
  }
  close()
  return items
}

type Row = (readonly HtmlNode[])[]

/** The cells of a table's own rows; text beside them is a row too. A table in a cell is part of that cell. */
function rowsOf(table: HtmlElement): Row[] {
  const rows: Row[] = []
  let loose: Row = []
  const close = () => {
    if (loose.length > 0) rows.push(loose)
    loose = []
  }
  const caption = captionOf(table)
  const visit = (nodes: readonly HtmlNode[]) => {
    for (const node of nodes) {
      const name = isElement(node) ? node.name : ''
      if (node === caption || SKIPPED.has(name)) continue
      if (!isElement(node)) {
        if (node.trim() !== '') loose.push([node])
      } else if (/^(?:tr|thead|tbody|tfoot|colgroup)$/.test(name)) {
        close()
        visit(node.children)
        close()
      } else loose.push(name === 'td' || name === 'th' ? node.children : [node])
    }
  }
  visit(table.children)
  close()
  return rows
}
