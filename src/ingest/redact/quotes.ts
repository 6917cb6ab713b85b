import { ALNUM, bitsOf, endsItem, isSpace, QUOTE, SYMBOL, UNDERSCORE } from './text/chars.ts'
import type { Scan } from './text/scan.ts'

/** As in text, as within a quoted text, as markup writes them, and three in a row. */
export const NO_QUOTE = 0
const DOUBLE = 1
const SINGLE = 2
const ESCAPED_DOUBLE = 3
const ESCAPED_SINGLE = 4
const MARKUP_DOUBLE = 5
const MARKUP_SINGLE = 6
const BACKTICK = 7
const THREE_DOUBLE = 8
const THREE_SINGLE = 9
const FORMS = 10

/** The characters that begin a quote in any form. */
export const QUOTING = QUOTE | SYMBOL

const LINE_FEED = 10
const DOUBLE_CODE = 34
const COLON = 58
const AMPERSAND = 38
const SINGLE_CODE = 39
const BACKTICK_CODE = 96
const BACKSLASH = 92
const MARKUP = [
  ['&quot;', MARKUP_DOUBLE],
  ['&#34;', MARKUP_DOUBLE],
  ['&#x22;', MARKUP_DOUBLE],
  ['&apos;', MARKUP_SINGLE],
  ['&#39;', MARKUP_SINGLE],
  ['&#x27;', MARKUP_SINGLE],
] as const
const MAX_LINES = 4096

/** Reads quotes of a text from its start to its end; every character is looked at a few times at most. */
export class Quotes {
  readonly #scan: Scan
  /** Of the quote that was read last. */
  form = NO_QUOTE
  width = 0
  readonly #unclosedFrom = new Int32Array(FORMS).fill(-1)
  readonly #unclosedTo = new Int32Array(FORMS).fill(-1)
  /** Which forms are open at `#at`, as bits. */
  #open = 0
  #at = 0
  #nextHit = 0

  constructor(scan: Scan) {
    this.#scan = scan
  }

  /** For another text. */
  reset(): void {
    this.#unclosedFrom.fill(-1)
    this.#unclosedTo.fill(-1)
    this.#open = this.#at = this.#nextHit = 0
  }

  /** Reads the quote at `at`, if there is one. */
  read(at: number): number {
    this.width = 1
    switch (this.#scan.code(at)) {
      case DOUBLE_CODE:
        return this.#take(this.#isThree(DOUBLE_CODE, at) ? THREE_DOUBLE : DOUBLE)
      case SINGLE_CODE:
        return this.#take(this.#isThree(SINGLE_CODE, at) ? THREE_SINGLE : SINGLE)
      case BACKTICK_CODE:
        return this.#take(BACKTICK)
      case BACKSLASH:
        return this.#readEscaped(this.#scan.code(at + 1))
      case AMPERSAND:
        return this.#readMarkup(at)
      default:
        this.width = 0
        return this.#take(NO_QUOTE)
    }
  }

  #isThree(code: number, at: number): boolean {
    return this.#scan.code(at + 1) === code && this.#scan.code(at + 2) === code
  }

  #take(form: number): number {
    this.form = form
    if (form >= THREE_DOUBLE) this.width = 3
    return form
  }

  #readEscaped(code: number): number {
    this.width = 2
    if (code === DOUBLE_CODE) return this.#take(ESCAPED_DOUBLE)
    if (code === SINGLE_CODE) return this.#take(ESCAPED_SINGLE)
    this.width = 0
    return this.#take(NO_QUOTE)
  }

  #readMarkup(at: number): number {
    if (beginsMarkup(this.#scan.code(at + 1)))
      for (const [name, form] of MARKUP)
        if (this.#scan.text.startsWith(name, at)) {
          this.width = name.length
          return this.#take(form)
        }
    this.width = 0
    return this.#take(NO_QUOTE)
  }

  /** Where the quote that was read last is closed, from `from` on; -1 when its line ends first. */
  close(from: number): number {
    const { form } = this
    if (from >= (this.#unclosedFrom[form] as number) && from < (this.#unclosedTo[form] as number)) return -1
    if (form >= THREE_DOUBLE) return this.#closeThree(from)
    const { codes, length } = this.#scan
    let at = from
    for (; at < length; at++) {
      const code = codes[at] as number
      if (code === LINE_FEED) break
      if (this.#closes(form, code, at)) return at
      if (code === BACKSLASH && form === DOUBLE) at++
    }
    this.#unclosedFrom[form] = from
    this.#unclosedTo[form] = at
    return -1
  }

  #closeThree(from: number): number {
    const { text } = this.#scan
    const end = text.indexOf(this.form === THREE_DOUBLE ? '"""' : "'''", from)
    if (end >= 0 && end - from <= MAX_LINES) return end
    this.#unclosedFrom[this.form] = from
    this.#unclosedTo[this.form] = end < 0 ? text.length : end - MAX_LINES
    return -1
  }

  #closes(form: number, code: number, at: number): boolean {
    switch (form) {
      case DOUBLE:
        return code === DOUBLE_CODE
      case SINGLE:
        return code === SINGLE_CODE
      case BACKTICK:
        return code === BACKTICK_CODE
      case ESCAPED_DOUBLE:
        return code === BACKSLASH && this.#scan.code(at + 1) === DOUBLE_CODE
      case ESCAPED_SINGLE:
        return code === BACKSLASH && this.#scan.code(at + 1) === SINGLE_CODE
      default:
        return code === AMPERSAND && this.#isMarkup(form, at)
    }
  }

  #isMarkup(form: number, at: number): boolean {
    return (
      beginsMarkup(this.#scan.code(at + 1)) &&
      MARKUP.some(([name, one]) => one === form && this.#scan.text.startsWith(name, at))
    )
  }

  /** Whether nothing follows in the line or the element: then the quote opens nothing. */
  opensNothing(from: number): boolean {
    const code = this.#scan.code(from)
    return (
      from >= this.#scan.length || code === LINE_FEED || (code === 60 && this.#scan.code(from + 1) === 47)
    )
  }

  /** Whether the quote may close one around the assignment: a blank, or the end of a list, follows. */
  isDoubtful(from: number): boolean {
    const scan = this.#scan
    let code = scan.code(from)
    if (isSpace(code)) return true
    let at = from
    while (at < from + 9 && (endsItem(code) || code === COLON)) code = scan.code(++at)
    if (at === from) return false
    return at >= scan.length || code === DOUBLE_CODE || code === SINGLE_CODE || isSpace(code)
  }

  /** Whether a quote of this form is open at `place`. Called in the order of the text; hits are not part of it. */
  isOpen(form: number, place: number): boolean {
    const { hits } = this.#scan
    const lastForm = this.form
    const lastWidth = this.width
    while (this.#at < place) {
      const hit = hits[this.#nextHit]
      if (hit && this.#at >= hit.from) {
        this.#at = Math.max(this.#at, hit.end)
        this.#nextHit++
      } else this.#walk(hit && hit.from < place ? hit.from : place)
    }
    this.form = lastForm
    this.width = lastWidth
    return (this.#open & (1 << form)) !== 0
  }

  /** Opens and closes the quotes before `end`. */
  #walk(end: number): void {
    const { codes } = this.#scan
    let at = this.#at
    while (at < end) {
      const code = codes[at] as number
      if (code === LINE_FEED) this.#open = 0
      at += isQuoteStart(code) ? this.#pass(at) : 1
    }
    this.#at = at
  }

  #pass(at: number): number {
    const form = this.read(at)
    if (form === NO_QUOTE || (form === SINGLE && this.#isApostrophe(at))) return 1
    const one = form >= THREE_DOUBLE ? form - THREE_DOUBLE + DOUBLE : form
    this.#open ^= 1 << one
    return form >= THREE_DOUBLE ? 1 : this.width
  }

  #isApostrophe(at: number): boolean {
    return isWordCode(this.#scan.code(at - 1)) && isWordCode(this.#scan.code(at + 1))
  }
}

function isQuoteStart(code: number): boolean {
  switch (code) {
    case DOUBLE_CODE:
    case SINGLE_CODE:
    case BACKTICK_CODE:
    case BACKSLASH:
    case AMPERSAND:
      return true
    default:
      return false
  }
}

/** `#`, `a` or `q`: after `&`. */
function beginsMarkup(code: number): boolean {
  return code === 35 || code === 97 || code === 113
}

function isWordCode(code: number): boolean {
  return (bitsOf(code) & (ALNUM | UNDERSCORE)) !== 0
}
