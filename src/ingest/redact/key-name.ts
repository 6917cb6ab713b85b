import {
  BLANK,
  bitsOf,
  DASH,
  DIGIT,
  DOT,
  FOREIGN,
  LETTER,
  LOWER,
  NAME,
  UNDERSCORE,
  UPPER,
  WORD,
} from './text/chars.ts'
import {
  ASKED_OF,
  AUTHORIZATION,
  DATA_OF,
  GETTER,
  ID,
  KEY,
  KEY_ENDINGS,
  KEY_WORDS,
  KIND_OF,
  MATERIAL,
  MAX_ENDING,
  MIN_ENDING,
  NAME_OF,
  PASS,
  PHRASE,
  PIN,
  PLAIN_OF,
  SECRET,
  SECRET_OF,
  STRONG,
  TAIL,
  TOKEN,
  VALUE_OF,
  WEAK,
} from './text/key-words.ts'
import type { Scan } from './text/scan.ts'
import { nextHash } from './text/word-table.ts'

/** How surely a name marks its value as secret: not at all, if the value looks random, if it is not a plain word, surely. */
export const NOT_SECRET = 0
export const IF_RANDOM = 1
export const IF_NO_WORD = 2
export const SURELY = 3

const MAX_WORDS = 5
const MAX_WORD = 64
const BLANK_CODE = 32
/** Between the words of a name. */
const SEPARATOR = UNDERSCORE | DASH | DOT | DIGIT
const LETTERS = LETTER | FOREIGN
/** Before a word: anything that may belong to another word of the same name. */
const MORE = LETTERS | SEPARATOR | BLANK
/** The characters of the name of a setting. */
const IN_RUN = NAME | DOT
const UNREAD = -1
/** Words that decide. */
const MAIN = KEY | TOKEN | PASS | STRONG | ID | MATERIAL

/** The position before `at`; 0 if it was already found. */
function codeBefore({ codes, floor }: Scan, at: number): number {
  return at > floor ? (codes[at - 1] as number) : 0
}

/** The length of `TOKEN`, `KEY`, `SECRET` or `PASSWORD` at the end of a name; 0 for none of them. */
function envEnding({ codes, text }: Scan, end: number): number {
  switch (codes[end - 1]) {
    case 89:
      return text.startsWith('KEY', end - 3) ? 3 : 0
    case 78:
      return text.startsWith('TOKEN', end - 5) ? 5 : 0
    case 84:
      return text.startsWith('SECRET', end - 6) ? 6 : 0
    case 68:
      return text.startsWith('PASSWORD', end - 8) ? 8 : 0
    default:
      return 0
  }
}

/** Judges the name of a key, which is read backwards from its end: any case, any separator. One object for a whole text. */
export class KeyName {
  level = NOT_SECRET
  /** A name in capitals of which the ending alone says that it is secret. */
  isEnv = false
  /** The properties of its last word. */
  #last = 0
  /** Of the word that decides, of the one before it, and whether there is none before it. */
  #main = 0
  #before = 0
  #isAlone = false
  #isQuoted = false
  #start = UNREAD
  /** How far back the run is read, and the bits of its characters up to there. */
  #runAt = 0
  #bits = 0
  #hash = 0
  #wordEnd = 0
  /** Whether another word of the name may precede the one that was read last. */
  #goesOn = true

  read(scan: Scan, end: number, isQuoted = false): number {
    this.#runAt = end
    this.#isQuoted = isQuoted
    this.#goesOn = true
    this.#start = UNREAD
    this.#last = this.#main = this.#before = this.#bits = 0
    this.#isAlone = this.isEnv = false
    this.level = this.#judge(scan, end)
    if ((scan.bits(end - 1) & UPPER) !== 0) this.isEnv = !this.isPlain && this.#isEnvName(scan, end)
    return this.level
  }

  /** Where the name begins. */
  start(scan: Scan): number {
    if (this.#start === UNREAD) this.#readRun(scan)
    return this.#start
  }

  /** It has a separator or capitals inside, as names in files and programs have, and words of a sentence have not. */
  isConfig(scan: Scan): boolean {
    const start = this.start(scan)
    if (this.#isQuoted) return true
    if ((this.#bits & (UNDERSCORE | DASH | DOT)) !== 0) return true
    return (this.#bits & LETTER) === LETTER && (scan.bits(start) & UPPER) === 0
  }

  /** `DB_PASSWORD`. */
  isCapitals(scan: Scan): boolean {
    this.start(scan)
    return (this.#bits & (LETTER | UNDERSCORE)) === (UPPER | UNDERSCORE)
  }

  /** Its value matters although the name does not make it secret. */
  get isTelling(): boolean {
    return this.isEnv || (this.#last & (NAME_OF | VALUE_OF | KIND_OF)) !== 0 || this.isKey
  }

  get isAuthorization(): boolean {
    return (this.#main & AUTHORIZATION) !== 0
  }

  /** A single word: `pass`, `key`. */
  get isPass(): boolean {
    return this.#isAlone && (this.#main & PASS) !== 0
  }

  get isKey(): boolean {
    return this.#isAlone && (this.#main & KEY) !== 0
  }

  /** `secret` alone: in files it is often the name of one. */
  get isSecretAlone(): boolean {
    return this.#isAlone && (this.#main & SECRET) !== 0
  }

  get isPhrase(): boolean {
    return (this.#main & PHRASE) !== 0
  }

  get isPin(): boolean {
    return (this.#last & PIN) !== 0
  }

  /** `kind`, `data`: of a manifest. */
  get isKind(): boolean {
    return (this.#last & KIND_OF) !== 0
  }

  get isData(): boolean {
    return (this.#last & DATA_OF) !== 0
  }

  /** `name`, `value`: of a pair in which the name of a key is a value itself. */
  get isName(): boolean {
    return (this.#last & NAME_OF) !== 0
  }

  get isValue(): boolean {
    return (this.#last & VALUE_OF) !== 0
  }

  /** A word before `key` or `token` that makes it public: `public_key`. */
  get isPlain(): boolean {
    return (this.#main & (KEY | TOKEN)) !== 0 && (this.#before & PLAIN_OF) !== 0
  }

  /** `getPassword`: a call that returns a secret. */
  get isGotten(): boolean {
    return (this.#before & GETTER) !== 0
  }

  /** Continues from the words that were read. */
  #readRun(scan: Scan): void {
    let start = this.#runAt
    let all = this.#bits
    for (let bits = bitsOf(codeBefore(scan, start)); (bits & IN_RUN) !== 0; ) {
      all |= bits
      start--
      bits = bitsOf(codeBefore(scan, start))
    }
    this.#start = all === 0 ? start : start + scan.escapeTail(start)
    this.#bits = all
  }

  #isEnvName(scan: Scan, end: number): boolean {
    const width = envEnding(scan, end)
    if (width === 0) return false
    const first = this.start(scan)
    let start = end - width
    if (start <= first) return false
    while (start > first && (scan.bits(start - 1) & WORD & ~LOWER) !== 0) start--
    if (start > first && (scan.bits(start - 1) & LOWER) !== 0) return false
    return start < end - width && (scan.bits(start) & DIGIT) === 0
  }

  #judge(scan: Scan, end: number): number {
    let at = end
    for (let count = 0; count < MAX_WORDS && this.#goesOn; count++) {
      const next = this.#readWord(scan, at, count > 0)
      if (next < 0) break
      const bits = KEY_WORDS.get(this.#hash) || this.#endingOf(scan, next)
      if (this.#main !== 0) return this.#judgeModified(scan, bits, scan.code(at - 1) === BLANK_CODE)
      if (count === 0) this.#last = bits
      if ((bits & MAIN) !== 0) this.#main = bits
      else if ((bits & TAIL) === 0) return this.#judgeSingle(bits)
      at = next
    }
    return this.#main === 0 ? NOT_SECRET : this.#judgeAlone()
  }

  #judgeSingle(bits: number): number {
    this.#main = bits & AUTHORIZATION
    if (this.#main !== 0) return SURELY
    return (bits & (WEAK | PIN)) !== 0 ? IF_RANDOM : NOT_SECRET
  }

  #judgeModified(scan: Scan, bits: number, isApart: boolean): number {
    const main = this.#main
    this.#before = bits
    if ((main & STRONG) !== 0) return !isApart && (bits & ASKED_OF) !== 0 ? IF_NO_WORD : SURELY
    if ((main & ID) !== 0) return (bits & SECRET) !== 0 ? IF_RANDOM : NOT_SECRET
    if ((main & MATERIAL) !== 0) return (bits & KEY) !== 0 ? SURELY : NOT_SECRET
    if ((main & PASS) !== 0) return isApart ? this.#judgeAlone() : SURELY
    if ((bits & PLAIN_OF) !== 0) return NOT_SECRET
    const isConfig = this.isConfig(scan)
    if ((bits & (SECRET_OF | STRONG | TOKEN)) !== 0) return isConfig || this.isPhrase ? SURELY : IF_NO_WORD
    if (this.isPhrase) return (bits & PASS) !== 0 ? SURELY : NOT_SECRET
    if ((main & TOKEN) !== 0) return isConfig ? IF_NO_WORD : IF_RANDOM
    return (this.#bits & LOWER) === 0 ? IF_RANDOM : NOT_SECRET
  }

  #judgeAlone(): number {
    this.#isAlone = true
    if ((this.#main & STRONG) !== 0) return SURELY
    return (this.#main & (TOKEN | PASS)) !== 0 ? IF_RANDOM : NOT_SECRET
  }

  /** Where the word that ends at `end` begins, past its separators; -1 for none. In `dbPassword` and `APIKey`, `P` and `K` begin a word. */
  #readWord(scan: Scan, end: number, mayBlank: boolean): number {
    const last = this.#skipSeparators(scan, end, mayBlank)
    const least = last - MAX_WORD
    let at = last
    let code = codeBefore(scan, at)
    let bits = bitsOf(code)
    let hash = 0
    let all = 0
    let after = 0
    while ((bits & LETTERS) !== 0 && at > least) {
      const isUpper = (bits & UPPER) !== 0
      const isStart = isUpper && (after & LOWER) !== 0
      hash = nextHash(hash, isUpper ? code | 32 : code)
      all |= bits
      after = bits
      at--
      code = codeBefore(scan, at)
      bits = bitsOf(code)
      if (isStart || (isUpper && (bits & LOWER) !== 0)) break
    }
    this.#hash = hash
    this.#wordEnd = last
    this.#goesOn = (bits & MORE) !== 0
    this.#noteRun(last, at, all)
    return at === last ? -1 : at
  }

  /** Where the word before `end` ends, past the separators between it and the next one. */
  #skipSeparators(scan: Scan, end: number, mayBlank: boolean): number {
    let at = end
    let all = 0
    let code = codeBefore(scan, at)
    for (let bits = bitsOf(code); (bits & SEPARATOR) !== 0; bits = bitsOf(code)) {
      all |= bits
      at--
      code = codeBefore(scan, at)
    }
    if (at < end) this.#noteRun(end, at, all)
    if (code !== BLANK_CODE) return at
    // `Key 1`
    const isNumbered = !mayBlank && at < end && (scan.bits(at) & DIGIT) !== 0
    return (mayBlank ? at === end : isNumbered) ? at - 1 : at
  }

  /** Notes the words read of the run, from `end` back to `start`. */
  #noteRun(end: number, start: number, bits: number): void {
    if (end !== this.#runAt || (bits & FOREIGN) !== 0) return
    this.#runAt = start
    this.#bits |= bits
  }

  /** STRONG for the word that was read last, which begins at `from`, when it ends in another one: `rootpassword`. */
  #endingOf({ codes }: Scan, from: number): number {
    const end = this.#wordEnd
    if (end - from < MIN_ENDING) return 0
    let hash = 0
    for (let at = end - 1; at >= from && end - at <= MAX_ENDING; at--) {
      const code = codes[at] as number
      hash = nextHash(hash, (bitsOf(code) & UPPER) !== 0 ? code | 32 : code)
      if (end - at >= MIN_ENDING && KEY_ENDINGS.get(hash) !== 0) return STRONG
    }
    return 0
  }
}
