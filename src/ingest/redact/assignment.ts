import { readAuthorization } from './authorization.ts'
import { Blocks } from './block.ts'
import { IF_NO_WORD, IF_RANDOM, NOT_SECRET, SURELY } from './key-name.ts'
import type { Pair } from './pair.ts'
import { isPlaceholder } from './placeholder.ts'
import { NO_QUOTE, QUOTING } from './quotes.ts'
import { isEnvSecret, isPinValue, isSecretValue, isStrange, MIN_LENGTH, MIN_UNUSUAL } from './secret-value.ts'
import {
  ALNUM,
  BLANK,
  beginsNothing,
  bitsOf,
  CLOSING,
  DIGIT,
  endsItem,
  endsWord,
  isSpace,
  SYMBOL,
} from './text/chars.ts'
import { AZURE_KIND, ENV_KIND, KEYED_KIND } from './text/kinds.ts'
import { NO_VALUE } from './text/value-words.ts'

const COLON = 58
const EQUALS = 61
const LINE_FEED = 10
const BACKSLASH = 92
const MAX_INDENT = 80
const NOWHERE = -1
const MIN_AZURE = 40
const AZURE_KEY = /(?:account|sharedaccess)key$/i
const MAX_TYPE = 30
const TYPE = /^[A-Za-z][\w.<>[\]|?]*$/

/** Pairs of a key and a value around `:`, `=` and the like, of which the key says whether the value is secret. */
export class Assignments {
  readonly #pair: Pair
  readonly #blocks: Blocks
  /** `:` or `=`; 0 for a sign that is neither. */
  #sign = 0
  /** `:=`: of programs. */
  #isWalrus = false
  /** `=>`, `->`. */
  #isArrow = false
  /** A manifest of Kubernetes that is a secret, and how far in its data is. */
  #isManifest = false
  #dataIndent = NOWHERE

  constructor(pair: Pair) {
    this.#pair = pair
    this.#blocks = new Blocks(pair)
  }

  /** For another text. */
  reset(): void {
    this.#isManifest = false
    this.#dataIndent = NOWHERE
    this.#blocks.reset()
  }

  /** Reads the pair around a colon at `at`. Where to go on. */
  readColon(at: number): number {
    this.#sign = COLON
    return this.#read(at, at, at + 1)
  }

  /** The same around `=` at `at`; its sign may begin before it (`:=`) and end after it (`=>`), at `next`. */
  readEquals(start: number, at: number, next: number): number {
    this.#sign = EQUALS
    this.#isWalrus = start < at && this.#pair.scan.code(start) === COLON
    this.#isArrow = next > at + 1
    const end = this.#read(start, at, next)
    this.#isWalrus = this.#isArrow = false
    return end
  }

  /** The same around the colon of another script. */
  readWideColon(at: number): number {
    this.#sign = 0
    return this.#read(at, at, at + 1)
  }

  /** The same around an arrow. */
  readArrow(at: number, next: number): number {
    this.#sign = 0
    this.#isArrow = true
    const end = this.#read(at, at, next)
    this.#isArrow = false
    return end
  }

  #read(start: number, at: number, next: number): number {
    const { key } = this.#pair
    if (!this.#pair.readKey(start)) return next
    let { level } = key
    if (this.#dataIndent !== NOWHERE || key.isData) level = this.#manifestLevel(level)
    return level === NOT_SECRET && !key.isTelling ? next : this.#readPair(at, next, level)
  }

  /** Every value in the data of a secret is secret. */
  #manifestLevel(level: number): number {
    const { key, scan } = this.#pair
    if (key.isData && (this.#isManifest || scan.isManifestAhead(key.start(scan))))
      this.#dataIndent = scan.lineIndent()
    else if (this.#dataIndent !== NOWHERE) {
      const isBelow = scan.lineIndent() > this.#dataIndent
      if (isBelow && level < SURELY && this.#isFirstInLine()) return SURELY
      if (!isBelow) this.#dataIndent = NOWHERE
    }
    return level
  }

  #readPair(at: number, next: number, level: number): number {
    const { key, quotes, scan } = this.#pair
    const isEquals = this.#sign === EQUALS
    const from = this.#pair.valueStart(next)
    const first = scan.code(from)
    const isSpaced = this.#pair.isSpacedBefore || from > next
    const isQuoted = (bitsOf(first) & QUOTING) !== 0 && quotes.read(from) !== NO_QUOTE
    if (key.isKind) this.#isManifest = scan.text.startsWith('Secret', from)
    const isEnv = key.isEnv && isEquals && (isQuoted || !isSpaced)
    if (!isQuoted && beginsNothing(first) && !(isEnv && this.#isEscapedSign(from))) return next
    if (isEnv) return this.#readEnv(from, next)
    // `label="Password" :min="12"`, `secret:prod/db` of an address.
    if (!isEquals && !this.#isArrow && this.#pair.isSpacedBefore && from === next) return next
    if (key.isAuthorization) return readAuthorization(this.#pair, from, next)
    const wanted = this.#levelOf(level, at, isSpaced, isQuoted)
    if (isQuoted) return this.#readQuoted(from, next, wanted)
    if (this.#isWalrus && isSpaced) return next
    return this.#readBare(from, next, isSpaced, this.#isArrow ? Math.min(wanted, IF_RANDOM) : wanted)
  }

  /** `\\$`, as a shell has it; `\\n` ends a line. */
  #isEscapedSign(at: number): boolean {
    const { scan } = this.#pair
    return scan.code(at) === BACKSLASH && (scan.bits(at + 1) & SYMBOL) !== 0
  }

  /** Hints from the position of a pair, besides its key. */
  #levelOf(level: number, at: number, isSpaced: boolean, isQuoted: boolean): number {
    const { key, keyEnd, scan } = this.#pair
    if (key.isValue) return Math.max(level, this.#pair.pendingLevel(at))
    const isEquals = this.#sign === EQUALS
    if (key.isPass && isEquals && (isQuoted || !isSpaced)) return SURELY
    if (isEquals && key.isKey && this.#isQueryKey()) return IF_RANDOM
    const isJson = keyEnd < at && scan.code(keyEnd) === 34
    if (isEquals || isSpaced || isQuoted || isJson) return level
    // `/password:…` of Windows; but `secret:…` in a name of several parts is one of the parts.
    const before = scan.code(key.start(scan) - 1)
    if (before === 47 && isSpace(scan.code(key.start(scan) - 2))) return key.isPass ? SURELY : level
    return before === COLON || before === 47 ? NOT_SECRET : Math.min(level, IF_NO_WORD)
  }

  /** `?key=…` of an address. */
  #isQueryKey(): boolean {
    const { key, scan } = this.#pair
    const before = scan.code(key.start(scan) - 1)
    return before === 63 || before === 38
  }

  #readEnv(from: number, next: number): number {
    const { scan, value } = this.#pair
    if (!this.#pair.readValue(from)) return next
    return this.#pair.hitIf(isEnvSecret(scan, value) && !this.#isCommand(from), ENV_KIND, next)
  }

  /** A text with blanks in backticks is a command that prints the value. */
  #isCommand(from: number): boolean {
    return this.#pair.scan.code(from) === 96 && this.#pair.value.blanks > 0
  }

  #readQuoted(from: number, next: number, level: number): number {
    const { value } = this.#pair
    if (!this.#pair.readValue(from)) return next
    if (this.#pair.key.isName) this.#pair.notePending(value.from, value.end)
    return this.#isSecret(level) && !this.#isCommand(from) ? this.#hit(next) : next
  }

  #isSecret(level: number): boolean {
    const { key, scan, value } = this.#pair
    if (key.isPin && isPinValue(value)) return true
    if (key.isPhrase && level === SURELY && value.isPassphrase()) return true
    return isSecretValue(scan, value, level)
  }

  #hit(next: number): number {
    const { key, keyEnd, scan, value } = this.#pair
    const isAzure = value.length >= MIN_AZURE && AZURE_KEY.test(scan.text.slice(key.start(scan), keyEnd))
    return this.#pair.hitIf(true, isAzure ? AZURE_KIND : KEYED_KIND, next)
  }

  #readBare(from: number, next: number, isSpaced: boolean, level: number): number {
    const { key, scan } = this.#pair
    const isColon = this.#sign === COLON
    if (key.isSecretAlone && isColon && isSpaced) level = Math.min(level, IF_NO_WORD)
    if (isColon && beginsBlock(scan.code(from))) return this.#readBlock(from, next, level)
    const end = this.#pair.wordEnd(from)
    if (key.isName) this.#pair.notePending(from, end)
    if (level === NOT_SECRET || (end - from < MIN_LENGTH && !key.isPhrase)) return next
    const isLast = !(isSpaced || key.isPhrase) || this.#isLast(end)
    if (!isLast && end - from < MIN_UNUSUAL && this.#mustBeUnusual(end)) return next
    this.#pair.value.read(scan, from, end, false)
    const typed = isColon ? this.#typedValue() : NOWHERE
    if (typed >= 0) return this.#readQuoted(typed, next, level)
    if (!isLast) return this.#readLine(from, next, level)
    return this.#isSecret(level) ? this.#hit(next) : next
  }

  /** `name: string = "…"`: the position of the quote, after a type. */
  #typedValue(): number {
    const { quotes, scan, value } = this.#pair
    if ((value.firstWord & NO_VALUE) === 0 || value.length > MAX_TYPE) return NOWHERE
    if (!TYPE.test(scan.text.slice(value.from, value.end))) return NOWHERE
    let at = value.end
    while (scan.code(at) === 32) at++
    if (scan.code(at) !== EQUALS) return NOWHERE
    at++
    while (scan.code(at) === 32) at++
    return quotes.read(at) === NO_QUOTE ? NOWHERE : at
  }

  /** Whether a word that ends at `end`, in the middle of a line, is secret only if it is not a plain word, type or phrase. */
  #mustBeUnusual(end: number): boolean {
    const { key, scan } = this.#pair
    return scan.code(end + 1) !== EQUALS && !key.isPhrase && !this.#isSetting(end)
  }

  /** Whether the name is one of a setting, in a sentence too: `DB_PASSWORD`, and `db_password` when a remark follows after a colon. */
  #isSetting(end: number): boolean {
    const { key, scan } = this.#pair
    if (key.isCapitals(scan)) return true
    return scan.code(end) === COLON && (scan.bits(end + 1) & BLANK) !== 0 && key.isConfig(scan)
  }

  /** Whether nothing but the end of a line, a list or a comment follows the word that ends at `end`. */
  #isLast(end: number): boolean {
    const { scan } = this.#pair
    let at = end
    while (endsItem(scan.code(at))) at++
    if (at > end && (scan.bits(at) & BLANK) !== 0) return true
    while ((scan.bits(at) & BLANK) !== 0) at++
    const code = scan.code(at)
    if (at >= scan.length || code === LINE_FEED || code === 13 || code === 35) return true
    return endsWord(code)
  }

  /** More words follow in the line: a passphrase, a secret and a remark, or a sentence. */
  #readLine(from: number, next: number, level: number): number {
    const { value } = this.#pair
    const first = value.end
    const isFirst = this.#isFirstSecret(level)
    const end = level === SURELY && this.#mayBePhrase() ? this.#pair.lineValueEnd(from) : NOWHERE
    if (end > first) {
      this.#pair.take(from, end, false)
      if (value.isPassphrase()) return this.#hit(next)
      this.#pair.take(from, first, false)
    }
    return isFirst ? this.#hit(next) : next
  }

  /** In a sentence the name of a setting is still one, and any other may be a word. */
  #isFirstSecret(level: number): boolean {
    const { scan, value } = this.#pair
    if (level === IF_RANDOM || (level === SURELY && this.#isSetting(value.end)))
      return isSecretValue(scan, value, level)
    return isStrange(scan, value)
  }

  /** Only a line that begins with its key is all value. */
  #mayBePhrase(): boolean {
    const { key } = this.#pair
    return key.isPhrase && this.#isFirstInLine(CLOSING)
  }

  /** Whether only blanks and the mark of a list, a quotation or a comment come before the key: none of `other`. */
  #isFirstInLine(other = ALNUM | CLOSING): boolean {
    const { key, scan } = this.#pair
    let at = key.start(scan)
    while (at > scan.lineStart && key.start(scan) - at < MAX_INDENT && (scan.bits(at - 1) & other) === 0) at--
    return at === scan.lineStart
  }

  #readBlock(from: number, next: number, level: number): number {
    const { scan, value } = this.#pair
    if (level === NOT_SECRET || !this.#blocks.read(from)) return next
    return isPlaceholder(scan, value) || value.isProse(scan) ? next : this.#hit(next)
  }

  /** The quoted argument of a call whose name indicates a secret: `setPassword("…")`. */
  readCall(at: number): number {
    const { key, quotes, scan, value } = this.#pair
    const form = quotes.read(at + 1)
    if (form === NO_QUOTE || (scan.bits(at - 1) & (DIGIT | BLANK)) !== 0) return at + 1
    if (key.read(scan, at) !== SURELY || key.isGotten || key.isEnv || !this.#pair.readValue(at + 1))
      return at + 1
    return value.isQuoted && isStrange(scan, value) ? this.#hit(at + 1) : at + 1
  }
}

/** `|` or `>`. */
function beginsBlock(code: number): boolean {
  return code === 124 || code === 62
}
