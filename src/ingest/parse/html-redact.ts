import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { Redact } from '../../core/redact.ts'
import { BLOCKS, type HtmlElement, isElement } from './html-elements.ts'

/** The source of markup that is kept as written, and how its secrets are removed. */
export interface Page {
  source: string
  redact: Redact
}

/** The same element, with every text and every value of an attribute redacted. */
export function redactElement(element: HtmlElement, redact: Redact): HtmlElement {
  return {
    ...element,
    attributes: element.attributes.map(([name, value]) => [name, redact(value)]),
    children: element.children.map((child) =>
      isElement(child) ? redactElement(child, redact) : redact(child),
    ),
  }
}

/**
 * Markup without its secrets. A secret may hide behind entities, so the decoded markup is redacted. One that
 * spans several elements cannot be cut out of them: then only the text is left.
 */
export function redactMarkup(markup: string, redact: Redact): { text: string; isMarkup: boolean } {
  const leaves = readLeaves(markup)
  const shown = leaves.filter(({ isShown }) => isShown)
  const text = redact(shown.map((leaf) => leaf.text).join(''))
  if (text !== shown.map((leaf) => redact(leaf.text)).join('')) return { text: text.trim(), isMarkup: false }
  let result = ''
  let at = 0
  for (const leaf of leaves) {
    const redacted = redact(leaf.text)
    if (redacted === leaf.text) continue
    result += markup.slice(at, leaf.start) + escapeMarkup(redacted)
    at = leaf.end
  }
  return { text: result + markup.slice(at), isMarkup: true }
}

/** A text, the value of an attribute or a comment, decoded, and where it is in the markup. */
interface Leaf {
  text: string
  start: number
  end: number
  /** Part of the decoded markup. */
  isShown: boolean
}

function readLeaves(markup: string): Leaf[] {
  const reader = new LeafReader(markup)
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader)
  tokenizer.write(markup)
  tokenizer.end()
  return reader.leaves
}

class LeafReader implements TokenizerCallbacks {
  readonly leaves: Leaf[] = []
  readonly #markup: string
  /** The text that is being read. */
  #open: Leaf | undefined
  #value: Leaf = { text: '', start: 0, end: 0, isShown: false }

  constructor(markup: string) {
    this.#markup = markup
  }

  ontext(start: number, end: number): void {
    this.#addText(this.#markup.slice(start, end), start, end)
  }

  ontextentity(codePoint: number, end: number): void {
    this.#addText(String.fromCodePoint(codePoint), this.#markup.lastIndexOf('&', end - 1), end)
  }

  onopentagname(start: number, end: number): void {
    this.#passTag(start, end)
  }

  onclosetag(start: number, end: number): void {
    this.#passTag(start, end)
  }

  onattribname(_start: number, end: number): void {
    const sign = /\s*=\s*["']?/y
    sign.lastIndex = end
    const start = end + (sign.exec(this.#markup)?.[0].length ?? 0)
    this.#value = { text: '', start, end: start, isShown: false }
  }

  onattribdata(start: number, end: number): void {
    this.#value.text += this.#markup.slice(start, end)
  }

  onattribentity(codePoint: number): void {
    this.#value.text += String.fromCodePoint(codePoint)
  }

  onattribend(quote: number, end: number): void {
    this.leaves.push({ ...this.#value, end: quote > UNQUOTED ? end - 1 : end })
  }

  oncomment(start: number, end: number, endOffset: number): void {
    this.#addHidden(start, end - endOffset)
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#addHidden(start, end - endOffset)
  }

  ondeclaration(start: number, end: number): void {
    this.#addHidden(start, end)
  }

  onprocessinginstruction(start: number, end: number): void {
    this.#addHidden(start, end)
  }

  onopentagend(): void {}
  onselfclosingtag(): void {}
  onend(): void {}

  #addText(text: string, start: number, end: number): void {
    if (this.#open) {
      this.#open.text += text
      this.#open.end = end
      return
    }
    this.#open = { text, start, end, isShown: true }
    this.leaves.push(this.#open)
  }

  /** Blocks are on separate lines. */
  #passTag(start: number, end: number): void {
    this.#open = undefined
    const name = this.#markup.slice(start, end).toLowerCase()
    if (BLOCKS.has(name) || name === 'br')
      this.leaves.push({ text: '\n', start: start, end: start, isShown: true })
  }

  #addHidden(start: number, end: number): void {
    this.#open = undefined
    this.leaves.push({ text: this.#markup.slice(start, end), start, end, isShown: false })
  }
}

/** The tokenizer reports higher numbers for quoted values. */
const UNQUOTED = 1

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
