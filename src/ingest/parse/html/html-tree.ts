import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { BLOCKS, ENDS_PARAGRAPH, HEADINGS, type HtmlElement, isElement } from '../html-elements.ts'

/** Deeper than any page is built, and far from the end of the call stack. */
const MAX_DEPTH = 200

const VOID = new Set(
  'area base basefont br col command embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
)
const FOREIGN = new Set(['svg', 'math'])
/** Elements of a drawing or a formula that may hold HTML. */
const INTEGRATION = new Set(['foreignobject', 'desc', 'mtext', 'annotation-xml'])

/** An opening tag closes the open elements in `ends`, searching upwards up to one in `within`. */
interface Ending {
  ends: ReadonlySet<string>
  within: ReadonlySet<string>
}
const ending = (ends: readonly string[], within: readonly string[]): Ending => ({
  ends: new Set(ends),
  within: new Set(within),
})
const CELL_WALLS = ['table', 'td', 'th', 'caption', 'object', 'svg', 'math']
const PARAGRAPH_END: Ending = ending(['p'], [...CELL_WALLS, 'button'])
const ROW_WALLS = ['table', 'thead', 'tbody', 'tfoot']
const SECTION_END: Ending = ending(['thead', 'tbody', 'tfoot', 'caption', 'colgroup', 'tr'], ['table'])
const ENDINGS: Readonly<Record<string, Ending>> = {
  li: ending(['li'], ['ul', 'ol', 'menu', 'dir', ...CELL_WALLS]),
  dt: ending(['dt', 'dd'], ['dl', ...CELL_WALLS]),
  dd: ending(['dt', 'dd'], ['dl', ...CELL_WALLS]),
  tr: ending(['tr', 'caption', 'colgroup'], ROW_WALLS),
  td: ending(['td', 'th'], ['tr', ...ROW_WALLS]),
  th: ending(['td', 'th'], ['tr', ...ROW_WALLS]),
  thead: SECTION_END,
  tbody: SECTION_END,
  tfoot: SECTION_END,
  a: ending(['a'], [...CELL_WALLS, ...BLOCKS]),
  option: ending(['option'], ['select', 'optgroup', 'datalist', ...CELL_WALLS]),
  optgroup: ending(['option', 'optgroup'], ['select', ...CELL_WALLS]),
}

/** The elements of any text: missing and misplaced closing tags are repaired, much as browsers do. */
export function htmlTree(source: string): HtmlElement {
  const builder = new TreeBuilder(source)
  const tokenizer = new Tokenizer({ decodeEntities: true }, builder)
  tokenizer.write(source)
  tokenizer.end()
  return builder.finish()
}

class TreeBuilder implements TokenizerCallbacks {
  readonly #source: string
  readonly #stack: [HtmlElement, ...HtmlElement[]]
  /** For each open element, whether its content is part of a drawing or a formula. */
  readonly #foreign = [false]
  /** The element whose tag is being read. */
  #opening: HtmlElement | undefined
  #attribute: [name: string, value: string] = ['', '']
  #attributes: [name: string, value: string][] = []

  constructor(source: string) {
    this.#source = source
    this.#stack = [createElement('#document', 0)]
  }

  finish(): HtmlElement {
    this.#closeTo(0, this.#source.length, this.#source.length)
    return this.#stack[0]
  }

  onopentagname(start: number, end: number): void {
    const name = this.#source.slice(start, end).toLowerCase()
    this.#opening = createElement(name === 'image' && !this.isInForeignContext() ? 'img' : name, start - 1)
    this.#attributes = []
  }

  onattribname(start: number, end: number): void {
    this.#attribute = [this.#source.slice(start, end), '']
  }

  onattribdata(start: number, end: number): void {
    this.#attribute[1] += this.#source.slice(start, end)
  }

  onattribentity(codePoint: number): void {
    this.#attribute[1] += String.fromCodePoint(codePoint)
  }

  onattribend(): void {
    this.#attributes.push(this.#attribute)
  }

  onopentagend(end: number): void {
    this.#open(end, false)
  }

  onselfclosingtag(end: number): void {
    this.#open(end, true)
  }

  onclosetag(start: number, nameEnd: number): void {
    const name = this.#source.slice(start, nameEnd).toLowerCase()
    const place = this.#findOpen(name)
    // A stray closing break or paragraph still separates its surroundings.
    if (place === 0 && (name === 'br' || name === 'p')) this.#append(createElement(name, start))
    const end = this.#source.indexOf('>', nameEnd)
    if (place > 0) this.#closeTo(place, start - 2, end < 0 ? this.#source.length : end + 1)
  }

  ontext(start: number, end: number): void {
    this.#appendText(this.#source.slice(start, end))
  }

  ontextentity(codePoint: number): void {
    this.#appendText(String.fromCodePoint(codePoint))
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.isInForeignContext()) this.#appendText(this.#source.slice(start, end - endOffset))
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  isInForeignContext(): boolean {
    return this.#foreign.at(-1) ?? false
  }

  #open(end: number, isSelfClosing: boolean): void {
    const element = this.#opening
    this.#opening = undefined
    if (!element) return
    element.attributes = this.#attributes
    element.contentStart = element.contentEnd = element.end = end + 1
    const isForeign = this.isInForeignContext() && !this.#leavesForeign(element)
    if (!isForeign) this.#endBefore(element)
    this.#append(element)
    const isForeignElement = isForeign || FOREIGN.has(element.name)
    const isEmpty = isForeignElement ? isSelfClosing : VOID.has(element.name)
    if (isEmpty) return
    if (this.#stack.length < MAX_DEPTH) this.#push(element, isForeignElement)
    else this.#top().isCut = true
  }

  #push(element: HtmlElement, isForeign: boolean): void {
    this.#stack.push(element)
    this.#foreign.push(isForeign && !INTEGRATION.has(element.name))
  }

  /** An unclosed paragraph in a drawing is not part of the drawing. */
  #leavesForeign({ name, start }: HtmlElement): boolean {
    if (!BLOCKS.has(name) || FOREIGN.has(name)) return false
    this.#closeTo(
      this.#stack.findIndex((open) => FOREIGN.has(open.name)),
      start,
      start,
    )
    return true
  }

  #endBefore({ name, start }: HtmlElement): void {
    if (ENDS_PARAGRAPH.has(name)) this.#endOpen(PARAGRAPH_END, start)
    if (HEADINGS.has(name) && HEADINGS.has(this.#top().name)) {
      this.#closeTo(this.#stack.length - 1, start, start)
    }
    const own = Object.hasOwn(ENDINGS, name) ? ENDINGS[name] : undefined
    if (own) this.#endOpen(own, start)
  }

  #endOpen({ ends, within }: Ending, position: number): void {
    let found = 0
    for (let place = this.#stack.length - 1; place > 0; place--) {
      const name = this.#stack[place]?.name ?? ''
      if (ends.has(name)) found = place
      else if (within.has(name)) break
    }
    if (found > 0) this.#closeTo(found, position, position)
  }

  /** 0 when nothing that may be closed from here has the name. */
  #findOpen(name: string): number {
    for (let place = this.#stack.length - 1; place > 0; place--) {
      const open = this.#stack[place]?.name ?? ''
      if (open === name) return place
      if (name !== 'table' && !FOREIGN.has(name) && isWall(open, name)) return 0
    }
    return 0
  }

  #closeTo(place: number, contentEnd: number, end: number): void {
    this.#foreign.length = Math.max(place, 1)
    for (const element of this.#stack.splice(Math.max(place, 1))) {
      element.contentEnd = contentEnd
      element.end = end
    }
  }

  #append(element: HtmlElement): void {
    this.#top().children.push(element)
    if (!BLOCKS.has(element.name)) return
    for (let place = this.#stack.length - 1; place >= 0 && !this.#stack[place]?.holdsBlock; place--) {
      ;(this.#stack[place] as HtmlElement).holdsBlock = true
    }
  }

  #appendText(text: string): void {
    const { children } = this.#top()
    const last = children.at(-1)
    if (last === undefined || isElement(last)) children.push(text)
    else children[children.length - 1] = last + text
  }

  #top(): HtmlElement {
    return this.#stack.at(-1) ?? this.#stack[0]
  }
}

/** An inline closing tag does not close the block around it, nor does anything in a cell close the table. */
function isWall(open: string, closing: string): boolean {
  if (!BLOCKS.has(closing)) return BLOCKS.has(open)
  const isPartOfTable = /^(?:t[rdh]|thead|tbody|tfoot|caption)$/.test(closing)
  return isPartOfTable ? open === 'table' : CELL_WALLS.includes(open)
}

function createElement(name: string, start: number): HtmlElement {
  return {
    name,
    attributes: [],
    children: [],
    holdsBlock: false,
    isCut: false,
    start,
    contentStart: start,
    contentEnd: start,
    end: start,
  }
}
