import { DEFAULT_WEIGHT } from '../../../core/link.ts'
import { linksIn, renderLink, weightOf } from '../../../core/link-text.ts'
import type { Link } from '../../../core/model.ts'
import {
  attribute,
  BLOCKS,
  CONTROLS,
  type HtmlElement,
  type HtmlNode,
  isElement,
  MEDIA,
  PREFORMATTED,
  rawText,
  SKIPPED,
  shownChildren,
} from '../html-elements.ts'
import type { Page } from '../html-redact.ts'
import { renderCodeSpan, renderDestination } from '../markdown-text.ts'
import { renderMedia } from './html-media.ts'
import { renderInlineMath } from './math.ts'

/** As Markdown writes one between angle brackets. */
const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]{1,31}:[^\s<>]*$/i
const SPACES = /[ \t\n\r\f\v\u00a0]+/g

type Mark = (text: string) => string

/** Elements whose text would mean something else without marks: `10^6` is not `106`. */
const raised = (mark: string): Mark => {
  return (text) => (/^\w+$/.test(text) ? `${mark}${text}` : `${mark}{${text}}`)
}
const struck: Mark = (text) => `~~${text}~~`
const MARKS: Readonly<Record<string, Mark>> = {
  sup: raised('^'),
  sub: raised('_'),
  del: struck,
  s: struck,
  strike: struck,
}

/** A text that grows word by word: white space is one space, and none at either end or around a line break. */
export class InlineText {
  readonly links: Link[] = []
  readonly #page: Page
  readonly #parts: string[] = []
  #isSpaceDue = false
  /** White space came first: it belongs before the result of this text. */
  #beginsWithSpace = false

  constructor(page: Page) {
    this.#page = page
  }

  get text(): string {
    return this.#parts.join('')
  }

  addNodes(nodes: readonly HtmlNode[]): this {
    for (const node of nodes) {
      if (isElement(node)) this.#addElement(node)
      else this.#addText(node)
    }
    return this
  }

  #addElement(element: HtmlElement): void {
    const { name } = element
    if (SKIPPED.has(name)) return
    if (name === 'br') this.#addBreak()
    else if (name === 'img' || (MEDIA.has(name) && renderMedia(element)))
      this.#addWord(renderMedia(element) ?? '')
    else if (name === 'code' || PREFORMATTED.has(name)) this.#addCode(element)
    else if (name === 'a') this.#addLink(element)
    else if (name === 'knowledge') this.#addKnowledge(element)
    else if (name === 'math') this.#addWord(renderInlineMath(element, this.#page))
    else if (name === 'input') this.#addCheckbox(element)
    else if (Object.hasOwn(MARKS, name)) this.#addMarked(element, MARKS[name] as Mark)
    else if (BLOCKS.has(name) || CONTROLS.has(name)) this.#addApart(element)
    else this.addNodes(shownChildren(element))
  }

  #addText(raw: string): void {
    const text = raw.replace(SPACES, ' ')
    if (text.startsWith(' ')) this.#addSpace()
    const { text: linked, links } = linksIn(text.trim())
    for (const link of links) this.links.push(link)
    this.#addWord(linked)
    if (text.endsWith(' ')) this.#addSpace()
  }

  #addWord(word: string): void {
    if (word === '') return
    if (this.#isSpaceDue) this.#parts.push(' ')
    this.#isSpaceDue = false
    this.#parts.push(word)
  }

  #addSpace(): void {
    if (this.#parts.length === 0) this.#beginsWithSpace = true
    else if (this.#parts.at(-1) !== '\n') this.#isSpaceDue = true
  }

  #addBreak(): void {
    this.#isSpaceDue = false
    this.#parts.push('\n')
  }

  /** Unchanged, but without links: code is literal. */
  #addCode(element: HtmlElement): void {
    const code = rawText(element).replaceAll('\n', ' ')
    const isBlock = element.name !== 'code'
    if (isBlock || code.startsWith(' ')) this.#addSpace()
    this.#addWord(renderCodeSpan(code.trim()))
    if (isBlock || code.endsWith(' ')) this.#addSpace()
  }

  #addLink(element: HtmlElement): void {
    const href = attribute(element, 'href')
    if (href === undefined) this.addNodes(element.children)
    else {
      const inner = new InlineText(this.#page).addNodes(element.children)
      this.#addInner(inner, renderAnchor(inner.text.trim(), href, attribute(element, 'title')))
    }
  }

  #addKnowledge(element: HtmlElement): void {
    const label = rawText(element).replace(SPACES, ' ').trim()
    if (label === '') return
    this.links.push({
      label,
      weight: weightOf(attribute(element, 'weight') ?? '') ?? DEFAULT_WEIGHT,
      source: attribute(element, 'source') ?? '',
      id: attribute(element, 'id') ?? '',
    })
    this.#addWord(renderLink({ label }))
  }

  #addMarked(element: HtmlElement, mark: Mark): void {
    const inner = new InlineText(this.#page).addNodes(element.children)
    const text = inner.text.trim()
    if (text !== '') this.#addInner(inner, mark(text))
  }

  #addInner(inner: InlineText, rendered: string): void {
    if (inner.#beginsWithSpace) this.#addSpace()
    for (const link of inner.links) this.links.push(link)
    this.#addWord(rendered)
    if (inner.#isSpaceDue) this.#addSpace()
  }

  /** As Markdown writes a task. */
  #addCheckbox(element: HtmlElement): void {
    if (attribute(element, 'type')?.toLowerCase() !== 'checkbox') return
    this.#addWord(element.attributes.some(([name]) => name.toLowerCase() === 'checked') ? '[x]' : '[ ]')
    this.#addSpace()
  }

  /** Where only a line of text has room, blocks are words apart. */
  #addApart(element: HtmlElement): void {
    this.#addSpace()
    if (element.name !== 'hr') this.addNodes(element.children)
    this.#addSpace()
  }
}

/** The text of nodes as one line. */
export function oneLine(inline: InlineText): string {
  return inline.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

/** A URL that shows itself is written once; the sign beside a heading that links to itself is not text. */
function renderAnchor(text: string, href: string, title: string | undefined): string {
  const isSign = href.startsWith('#') && !/[\p{L}\p{N}]/u.test(text)
  if (text === '' || isSign) return ''
  const isShown = (href === text && ABSOLUTE_URL.test(href)) || href === `mailto:${text}`
  if (isShown && title === undefined) return text
  return `[${text}](${renderDestination(href, title)})`
}
