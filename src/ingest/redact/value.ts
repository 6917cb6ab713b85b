import {
  ALNUM,
  BLANK,
  bitsOf,
  DASH,
  DIGIT,
  DOT,
  FOREIGN,
  HEX,
  LETTER,
  LOWER,
  OPEN,
  QUOTE,
  SPACE,
  SYMBOL,
  UNDERSCORE,
  UPPER,
} from './text/chars.ts'
import type { Scan } from './text/scan.ts'
import {
  ALGORITHM,
  NO_VALUE,
  PLACEHOLDER,
  PROSE,
  REFERENCE,
  SECRET_NAME,
  VALUE_WORDS,
} from './text/value-words.ts'
import { nextHash } from './text/word-table.ts'

/** More than this of a value reveals nothing new about it. */
const MAX_READ = 512
const MAX_WHOLE = 8
const FEW = 32
const LESS = 60
const LETTERS = LETTER | FOREIGN
const EQUALS = 61
const LINE_FEED = 10
/** Properties of random text that sentences do not have. */
const STRANGE = DIGIT | UPPER | LOWER | SYMBOL
const ELLIPSIS = 0x2026

/** The composition of a value, read once. One object for a whole text. */
export class Value {
  from = 0
  end = 0
  isQuoted = false
  /** How far it is looked at. */
  readEnd = 0
  /** Of all its characters. */
  bits = 0
  /** Properties of all of its words, and of any of them. */
  everyWord = 0
  anyWord = 0
  firstWord = 0
  words = 0
  blanks = 0
  letters = 0
  digits = 0
  foreign = 0
  hasMarker = false
  /** It may repeat the same character. */
  mayRepeat = false
  /** More pairs follow it without a blank between. */
  isPart = false

  read(scan: Scan, from: number, end: number, isQuoted: boolean): this {
    this.from = from
    this.end = end
    this.isQuoted = isQuoted
    this.anyWord = this.firstWord = this.words = this.blanks = this.digits = 0
    this.everyWord = -1
    this.hasMarker = scan.hasMarker(from, end)
    this.isPart = false
    this.readEnd = Math.min(end, from + this.#maxRead(scan))
    this.mayRepeat = false
    this.#readCharacters(scan)
    return this
  }

  /** Every character once. A word is one of `dbPassword` or `db_password`. */
  #readCharacters(scan: Scan): void {
    const { codes } = scan
    const { readEnd } = this
    let lastCode = 0
    /** Of the letter before, 0 when there is none. */
    let before = 0
    let letters = 0
    let foreign = 0
    let hash = 0
    let all = 0
    for (let at = this.from; at < readEnd; at++) {
      const code = codes[at] as number
      const bits = bitsOf(code)
      if (code === lastCode) this.mayRepeat = true
      lastCode = code
      const isUpper = (bits & UPPER) !== 0
      if (before !== 0 && ((bits & LETTERS) === 0 || (isUpper && (before & LOWER) !== 0))) {
        this.#noteWord(hash)
        hash = 0
      }
      if ((bits & LETTERS) !== 0) {
        hash = nextHash(hash, isUpper ? code | 32 : code)
        before = bits
        if ((bits & FOREIGN) !== 0) foreign++
        else letters++
      } else {
        if (code === EQUALS && before !== 0 && this.#endsAt(scan, at, before)) break
        before = 0
        this.#readSign(code, bits)
      }
      all |= bits
    }
    if (before !== 0 && !this.isPart) this.#noteWord(hash)
    this.bits = all
    this.letters = letters
    this.foreign = foreign
  }

  /** Pairs without blanks between them are read repeatedly: after some of them, a little of each is enough. */
  #maxRead(scan: Scan): number {
    return this.isQuoted || scan.bareReads < MAX_WHOLE || this.from > scan.bareStop ? MAX_READ : FEW
  }

  get length(): number {
    return this.end - this.from
  }

  #noteWord(hash: number): void {
    const known = VALUE_WORDS.get(hash)
    if (this.words === 0) this.firstWord = known
    this.everyWord &= known === 0 ? 0 : -1
    this.anyWord |= known
    this.words++
  }

  #readSign(code: number, bits: number): void {
    if ((bits & DIGIT) !== 0) this.digits++
    else if ((bits & BLANK) !== 0 || code === LINE_FEED) this.blanks++
    else if (code === ELLIPSIS) this.anyWord |= PLACEHOLDER
  }

  /** Text after a separator with letters on both sides is another pair. `before`: the character before the separator. */
  #endsAt(scan: Scan, at: number, before: number): boolean {
    this.isPart = !this.isQuoted && (before & LETTER) !== 0 && (scan.bits(at + 1) & LETTER) !== 0
    if (this.isPart) this.mayRepeat = true
    return this.isPart
  }

  /** Whether it contains `part`, within the length that is read. */
  has(scan: Scan, part: string): boolean {
    return scan.text.slice(this.from, this.readEnd).includes(part)
  }

  /** As no word is: letters and digits, or signs between letters, or very long. */
  isRandom(): boolean {
    if (this.length >= 32 && this.blanks > 0 && this.blanks < 4 && this.words > 6)
      return (this.bits & STRANGE) === STRANGE
    if (this.length < 8 || this.blanks > 0 || this.letters === 0 || this.foreign > 0) return false
    if ((this.bits & OPEN) !== 0 && this.length < 12) return false
    if ((this.bits & DIGIT) !== 0) return (this.bits & LOWER) !== 0 || this.length >= 16
    const isMixed = (this.bits & (UPPER | LOWER)) === (UPPER | LOWER)
    return this.length >= 20 && (isMixed || (this.bits & SYMBOL) !== 0) && this.everyWord === 0
  }

  /** A word or several, all of which are known to be no value. */
  isKnownWord(): boolean {
    if (this.words === 0 || this.everyWord === 0) return false
    if ((this.anyWord & ~ALGORITHM) === 0) return true
    const isType = this.digits < 3 && (this.anyWord & NO_VALUE) !== 0
    return (this.digits === 0 || isType) && (this.anyWord & (NO_VALUE | SECRET_NAME | PROSE)) !== 0
  }

  /** The name of a variable, a call, a type: code in the place of a value. */
  isCode(scan: Scan): boolean {
    if (this.isQuoted) return false
    if (this.isCall(scan)) return true
    if ((this.bits & DOT) !== 0 && (this.firstWord & REFERENCE) !== 0) return true
    const isName = (this.bits & (SYMBOL | QUOTE | OPEN)) === 0
    if (!isName) return (this.bits & SYMBOL) !== 0 && this.has(scan, '|')
    const isSplit = (this.bits & (DOT | UNDERSCORE)) !== 0 || this.words > 1
    // `inputValue`, `SecureString`: letters and capitals only.
    if (this.words > 1 && (this.bits & ~(LETTER | HEX)) === 0 && this.length < 32) return true
    if (!isSplit || (this.bits & DASH) !== 0 || (this.anyWord & (SECRET_NAME | NO_VALUE)) === 0) return false
    return (this.bits & DOT) !== 0 || !this.isRandom()
  }

  /** A bracket after a name: `getToken(`, `config[`, `Map<`. */
  isCall(scan: Scan, skipped = 0): boolean {
    if ((this.bits & OPEN) === 0) return false
    for (let at = this.from + skipped; at < this.end; at++) {
      const bits = scan.bits(at)
      if ((bits & OPEN) !== 0)
        return at > this.from && (scan.code(at) !== LESS || (scan.bits(at + 1) & LETTER) !== 0)
      if ((bits & (ALNUM | UNDERSCORE | DOT)) === 0 && !':?!'.includes(scan.text[at] as string)) return false
    }
    return false
  }

  /** At least three words, all in lower case, none of them a word for a secret. In quotes any of them may be one of a sentence. */
  isPassphrase(): boolean {
    if (this.blanks < 2 || this.words < 3 || (this.bits & ~(LOWER | HEX | BLANK | SPACE | DASH)) !== 0)
      return false
    const known = SECRET_NAME | PLACEHOLDER | (this.isQuoted ? 0 : PROSE | NO_VALUE)
    return !this.hasMarker && (this.anyWord & known) === 0
  }

  /** Several words of a sentence, not of a passphrase. */
  isProse(scan: Scan): boolean {
    if (this.blanks === 0) return false
    if ((this.anyWord & (PROSE | SECRET_NAME | NO_VALUE)) !== 0) return true
    if ((this.bits & UPPER) !== 0 && (this.bits & (DIGIT | SYMBOL)) === 0) return true
    if (this.foreign > 0 && this.letters === 0) return true
    const last = scan.text[this.end - 1] as string
    return '.?!:…'.includes(last) || this.has(scan, ', ')
  }
}
