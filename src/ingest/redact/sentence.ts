import { bareEnd } from './bare-value.ts'
import type { Commands } from './command-line.ts'
import { SURELY } from './key-name.ts'
import { isPlaceholder } from './placeholder.ts'
import { isStrange } from './secret-value.ts'
import { ALNUM, BLANK, DIGIT, isSpace, LOWER, QUOTE, SYMBOL, UPPER } from './text/chars.ts'
import { BEARER_KIND, KEYED_KIND } from './text/kinds.ts'
import type { Scan } from './text/scan.ts'
import { Value } from './value.ts'

const PASSWORD = 1
/** `IDENTIFIED BY 'secret'`. */
const IDENTIFIED = 2
/** `token`, `key`, `secret`: only a very random value is one. */
const TOKEN = 3
const BEARER = 4
/** `requirepass secret`: a setting without a sign. */
const SETTING = 5

const LISTS: readonly (readonly [number, string])[] = [
  [
    PASSWORD,
    'password Password PASSWORD passwort Passwort passwd Passwd passphrase Passphrase passcode Passcode pw PW pwd',
  ],
  [IDENTIFIED, 'identified IDENTIFIED'],
  [TOKEN, 'token Token key Key secret Secret'],
  [BEARER, 'Bearer bearer'],
  [SETTING, 'psk requirepass masterauth'],
]
/** Words for secrets. */
export const SENTENCE_WORDS = LISTS.flatMap(([found, list]) =>
  list.split(' ').map((prefix) => ({ prefix, found })),
)

const NOWHERE = -1
const MAX_PHRASE = 60
const MIN_BEARER = 16
const MIN_TOKEN = 20
const MIN_STRANGE = 8
const MIXED = DIGIT | UPPER | LOWER
const MIN_HEX = 32

/** Sentences that state a password. One object for a whole text. */
export class Sentences {
  readonly #scan: Scan
  readonly #commands: Commands
  readonly #isToken: (at: number) => boolean
  readonly #value = new Value()
  #from = 0
  #end = 0
  /** Up to here no sentence says it. */
  #readTo = 0
  /** The colon or the verb after which a word was judged last. */
  #judgedAt = NOWHERE

  /** `isToken`: whether a token with a known prefix begins at a place. It needs no sentence. */
  constructor(commands: Commands, isToken: (at: number) => boolean) {
    this.#commands = commands
    this.#isToken = isToken
    this.#scan = commands.scan
  }

  /** For another text. */
  reset(): void {
    this.#readTo = 0
    this.#judgedAt = NOWHERE
  }

  /** Reads on from the word at `at`, which ends at `end`. */
  readWord(word: number, at: number, end: number): void {
    if ((this.#scan.bits(end) & BLANK) === 0) return
    const next = this.#commands.skipBlanks(end)
    if (word === IDENTIFIED) this.#readIdentified(next)
    else if (word === BEARER) this.#readBearer(next)
    else if (word === TOKEN) this.#readToken(at, next)
    else if (word === SETTING) this.#readSetting(at, next)
    else this.#readPassword(at, next)
  }

  #readPassword(at: number, next: number): void {
    if (this.#commands.isNaming || this.#isSql(at, next)) {
      this.#commands.readArgument(next, SURELY, KEYED_KIND)
      return
    }
    const from = isDash(this.#scan.code(next)) ? this.#commands.skipBlanks(next + 1) : next
    if (this.#isStrangeAt(from)) this.#plan(at)
    else this.#readPhrase(at, next)
  }

  /** At the start of a line, or the last part of a name. */
  #readSetting(at: number, next: number): void {
    const before = this.#scan.code(at - 1)
    if (at === this.#scan.lineStart || before === 45 || before === 46)
      this.#commands.readArgument(next, SURELY, KEYED_KIND)
  }

  /** `PASSWORD 'secret'`, in capitals. */
  #isSql(at: number, next: number): boolean {
    return this.#scan.code(next) === 39 && (this.#scan.bits(at + 1) & UPPER) !== 0
  }

  #readIdentified(next: number): void {
    const isBy = this.#scan.text.slice(next, next + 4).toLowerCase() === "by '"
    if (isBy) this.#commands.readArgument(next + 3, SURELY, KEYED_KIND)
  }

  #plan(at: number, kind = KEYED_KIND): void {
    if (!this.#isToken(this.#from)) this.#scan.plan(kind, at, this.#from, this.#end)
  }

  /** Without the header that it is sent in. */
  #readBearer(next: number): void {
    if (!this.#take(next, MIN_BEARER)) return
    const value = this.#value
    const isToken = value.isRandom() && (value.bits & DIGIT) !== 0
    if (isToken && !isPlaceholder(this.#scan, value)) this.#plan(next, BEARER_KIND)
  }

  /** `the key is …`. */
  #readToken(at: number, next: number): void {
    if (!this.#scan.text.startsWith('is ', next)) return
    if (!this.#take(this.#commands.skipBlanks(next + 3), MIN_TOKEN)) return
    const value = this.#value
    const isMixed = (value.bits & MIXED) === MIXED || (value.length >= MIN_HEX && (value.bits & DIGIT) !== 0)
    if (isMixed && isStrange(this.#scan, value)) this.#plan(at)
  }

  /** Reads the word at `at`, which may be quoted. False if it is shorter than `min`. */
  #take(at: number, min: number): boolean {
    const scan = this.#scan
    const quote = scan.code(at)
    this.#from = quote === 96 || quote === 34 || quote === 39 ? at + 1 : at
    this.#end = scan.beforeKey(this.#from, bareEnd(scan, this.#from))
    while (this.#end > this.#from && '!?'.includes(scan.text[this.#end - 1] as string)) this.#end--
    if (this.#end - this.#from < min) return false
    this.#value.read(scan, this.#from, this.#end, false)
    return true
  }

  /** A word that no sentence has: letters with digits or signs between them. */
  #isStrangeAt(at: number): boolean {
    if ((this.#scan.bits(at) & (ALNUM | QUOTE)) === 0 || !this.#take(at, MIN_STRANGE)) return false
    const value = this.#value
    if (value.letters < 3 || (value.bits & LOWER) === 0) return false
    if ((value.bits & (DIGIT | SYMBOL)) === 0 || (this.#scan.bits(this.#from) & ALNUM) === 0) return false
    const text = this.#scan.text.slice(this.#from, Math.min(this.#end, this.#from + 80))
    return !/[@/:()<>|\\=]/.test(text) && isStrange(this.#scan, value)
  }

  /** `… for the site: secret`, `… of the box is secret`: within one sentence. */
  #readPhrase(at: number, from: number): void {
    const scan = this.#scan
    const limit = Math.min(scan.length, at + MAX_PHRASE)
    for (let place = Math.max(from, this.#readTo); place < limit; place++) {
      const code = scan.code(place)
      if (endsSentence(code) || (code === 46 && isSpace(scan.code(place + 1)))) return
      this.#readTo = place
      const isColon = code === 58 && (scan.bits(place + 1) & BLANK) !== 0
      const isVerb = code === 105 && scan.text.startsWith('is ', place) && scan.code(place - 1) === 32
      if (!isColon && !isVerb) continue
      // Another word before it has asked already.
      if (place === this.#judgedAt) return
      this.#judgedAt = place
      if (this.#isStrangeAt(this.#commands.skipBlanks(place + (isColon ? 1 : 3)))) this.#plan(at)
      return
    }
  }
}

/** Between a word and its value: `-`, `–`, `—`. */
function isDash(code: number): boolean {
  return code === 45 || code === 0x2013 || code === 0x2014
}

/** A line end, `;`, `?` or the start of a marker. */
function endsSentence(code: number): boolean {
  return code === 10 || code === 59 || code === 63 || code === 0xab
}
