import { bareEnd } from './bare-value.ts'
import { KeyName, NOT_SECRET } from './key-name.ts'
import { NO_QUOTE, Quotes } from './quotes.ts'
import { ALNUM, BLANK, bitsOf, DOT, FOREIGN, isSpace, NAME } from './text/chars.ts'
import type { Scan } from './text/scan.ts'
import { Value } from './value.ts'

const MAX_BLANKS = 8
/** Enough to see that a value is blank. */
const MAX_LOOK = 120
/** The maximum distance between `value:` and its `name:`. */
const MAX_DISTANCE = 120
const MAX_NAME = 64
const NOWHERE = -1
/** How far a value without quotes may go in its line to be one. */
const MAX_LINE_VALUE = 120
const LINE_FEED = 10
const COLON = 58
const EQUALS = 61
const STAR = 42
/** Characters that a key may end in. */
const KEY_CHARACTER = NAME | DOT | FOREIGN

/** A key and the value beside it, and how to read both from a text. Shared by all that read pairs, one for a whole text. */
export class Pair {
  readonly scan: Scan
  readonly quotes: Quotes
  readonly key = new KeyName()
  readonly value = new Value()
  /** Of the key that was read last. */
  keyEnd = 0
  isSpacedBefore = false
  readonly #inner = new KeyName()
  #pendingFrom = NOWHERE
  #pendingAt = NOWHERE

  constructor(scan: Scan) {
    this.scan = scan
    this.quotes = new Quotes(scan)
  }

  /** For another text. */
  reset(): void {
    this.quotes.reset()
    this.#pendingAt = NOWHERE
  }

  /** Reads the key before the separator at `at`: blanks, and the closing mark of the key, may be between. False if there is none. */
  readKey(at: number): boolean {
    const { scan } = this
    if ((scan.bits(at - 1) & ALNUM) !== 0) {
      this.isSpacedBefore = false
      this.keyEnd = at
      this.key.read(scan, at)
      return true
    }
    let end = at
    while (end > scan.floor && at - end < MAX_BLANKS && (scan.bits(end - 1) & BLANK) !== 0) end--
    this.isSpacedBefore = end < at
    this.keyEnd = (scan.bits(end - 1) & ALNUM) === 0 ? this.#withoutClosing(end) : end
    if ((scan.bits(this.keyEnd - 1) & KEY_CHARACTER) === 0) return false
    this.key.read(scan, this.keyEnd, this.keyEnd < end)
    return true
  }

  /** The end of a key before the quote, the bracket or the stars that close it. */
  #withoutClosing(end: number): number {
    const { scan } = this
    let at = end
    if (scan.code(at - 1) === 93) at--
    switch (scan.code(at - 1)) {
      case 34:
      case 39:
      case 96:
        at--
        return scan.code(at - 1) === 92 ? at - 1 : at
      case 42:
        while (scan.code(at - 1) === 42) at--
        return at
      case 59:
        return at - entityLength(scan, at)
      default:
        return end
    }
  }

  /** Where the value begins after a separator that ends at `next`: past blanks, stars and the letters before a quote. */
  valueStart(next: number): number {
    const { scan } = this
    let at = scan.code(next) === STAR ? this.#starsEnd(next) : next
    let code = scan.code(at)
    while (at - next < MAX_BLANKS && (bitsOf(code) & BLANK) !== 0) code = scan.code(++at)
    return isQuotePrefix(code) && isQuote(scan.code(at + 1)) ? at + 1 : at
  }

  /** `**Password:** …` */
  #starsEnd(at: number): number {
    const end = this.scan.code(at + 1) === STAR ? at + 2 : at + 1
    return (this.scan.bits(end) & BLANK) === 0 ? at : end
  }

  /** Reads the value at `from`, quoted or not. False if there is none. An unclosed quote extends to the end of its line. */
  readValue(from: number): boolean {
    const { quotes, scan } = this
    if (quotes.read(from) === NO_QUOTE) return this.readWord(from)
    const { form } = quotes
    const start = from + quotes.width
    if (quotes.opensNothing(start)) return false
    const end = quotes.close(start)
    if (quotes.isDoubtful(start)) {
      const isBlank = end < 0 || scan.text.slice(start, Math.min(end, start + MAX_LOOK)).trim() === ''
      return !isBlank && !quotes.isOpen(form, this.key.start(this.scan)) && this.take(start, end, true)
    }
    if (end === start || (end < 0 && quotes.isOpen(form, this.key.start(this.scan))))
      return this.readWord(start)
    return this.take(start, end < 0 ? this.trimmedEnd(start, scan.lineEnd(start)) : end, true)
  }

  /** Where a value without quotes ends: at the next blank. */
  wordEnd(from: number): number {
    return this.scan.beforeKey(from, bareEnd(this.scan, from))
  }

  readWord(from: number): boolean {
    return this.take(from, bareEnd(this.scan, from), false)
  }

  take(from: number, to: number, isQuoted: boolean): boolean {
    const end = this.scan.beforeKey(from, to)
    this.value.read(this.scan, from, end, isQuoted)
    return end > from
  }

  trimmedEnd(from: number, end: number): number {
    let at = end
    while (at > from && isSpace(this.scan.code(at - 1))) at--
    return at
  }

  /** Where the line ends, if it continues without another pair; -1 otherwise. */
  lineValueEnd(from: number): number {
    const { scan } = this
    for (let at = from; at < from + MAX_LINE_VALUE; at++) {
      const code = scan.code(at)
      if (at >= scan.length || code === LINE_FEED || (code === 32 && scan.code(at + 1) === 35))
        return this.trimmedEnd(from, at)
      if (code === COLON || code === EQUALS || code === 0xab || code === 34) return NOWHERE
    }
    return NOWHERE
  }

  /** Notes the value as a hit when it is secret. Where to go on. */
  hitIf(isSecret: boolean, kind: string, next: number): number {
    const { from, end } = this.value
    return isSecret && this.scan.hit(kind, this.key.start(this.scan), from, end) ? end : next
  }

  /** `name: DB_PASSWORD`: remembers the name, which decides how secret the value beside it is. */
  notePending(from: number, end: number): void {
    if (end <= from || end - from > MAX_NAME) return
    this.#pendingFrom = from
    this.#pendingAt = end
  }

  /** How secret the value at `at` is because of such a name, not further than `distance` before it. */
  pendingLevel(at: number, distance = MAX_DISTANCE): number {
    if (this.#pendingAt < this.scan.floor || at - this.#pendingAt > distance) return NOT_SECRET
    const level = this.#inner.read(this.scan, this.#pendingAt)
    return this.#inner.start(this.scan) <= this.#pendingFrom ? level : NOT_SECRET
  }
}

/** `b`, `B`, `r`, `R`, `u`, `U`, `L` or `@`: string prefixes of programming languages. */
function isQuotePrefix(code: number): boolean {
  switch (code) {
    case 98:
    case 66:
    case 114:
    case 82:
    case 117:
    case 85:
    case 76:
    case 64:
      return true
    default:
      return false
  }
}

/** `"` or `'`. */
function isQuote(code: number): boolean {
  return code === 34 || code === 39
}

/** The length of the entity for a quote that ends at `end`; 0 for none. */
function entityLength(scan: Scan, end: number): number {
  for (const entity of ['&quot;', '&#34;', '&apos;', '&#39;', '&#x22;', '&#x27;'])
    if (scan.text.startsWith(entity, end - entity.length)) return entity.length
  return 0
}
