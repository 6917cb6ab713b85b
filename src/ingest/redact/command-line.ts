import { readAuthorization } from './authorization.ts'
import { bareEnd } from './bare-value.ts'
import { IF_RANDOM, KeyName, NOT_SECRET, SURELY } from './key-name.ts'
import type { Pair } from './pair.ts'
import { isPlaceholder } from './placeholder.ts'
import { isSecretValue } from './secret-value.ts'
import { BLANK, isSpace } from './text/chars.ts'
import { COMMAND_KIND, KEYED_KIND } from './text/kinds.ts'
import { NAMES, type Scan } from './text/scan.ts'
import { Value } from './value.ts'

/** The role of a word in a command: it decides how the next one is read. */
export interface CommandWord {
  options?: string
  isNaming?: true
  read?: (commands: Commands, at: number, end: number) => void
}

const MAX_ARGUMENT = 200
const MAX_FLAG = 40
const STDIN = '--password-stdin'
const PIPED = /\| ?(?:sudo -S|passwd --stdin)/y
const PIPED_STDIN = /\| ?(?:[^\n«]{0,80}--password-stdin|sudo -S|passwd --stdin)/y

/** Secrets among the arguments of commands. One object for a whole text. */
export class Commands {
  readonly pair: Pair
  readonly scan: Scan
  readonly key = new KeyName()
  readonly value = new Value()
  from = 0
  end = 0
  /** Of the program that the line named last. */
  #options = ''
  #isBatch = false
  #isNaming = false
  /** The end of the last command that was checked, and whether it reads a password. */
  #pipeAt = -1
  #isPiped = false
  #stdinAt = -1

  constructor(pair: Pair) {
    this.pair = pair
    this.scan = pair.scan
  }

  /** For another text. */
  reset(): void {
    this.#options = ''
    this.#isBatch = this.#isNaming = false
    this.#pipeAt = this.#stdinAt = -1
  }

  /** Whether a word alone names the word after it. */
  get isNaming(): boolean {
    return this.#isNaming
  }

  /** A command continues after a backslash; an entry for a machine continues while lines are indented. */
  endLine(at: number): void {
    if (this.scan.code(at - 1) === 92) return
    this.#options = ''
    this.#isBatch = false
    if (this.#isNaming && this.scan.code(at + 1) > 32) this.#isNaming = false
  }

  /** Reads on from the word at `at`, which ends at `end`. */
  readWord({ options, isNaming, read }: CommandWord, at: number, end: number): void {
    if (read) read(this, at, end)
    else if (!isSpace(this.scan.code(end))) return
    else if (isNaming) this.#isNaming ||= this.scan.text.startsWith('nmcli', at) || this.#beginsLine(at)
    else {
      this.#options = options ?? ''
      this.#isBatch = options === 'b'
    }
  }

  #beginsLine(at: number): boolean {
    const before = this.scan.code(at - 1)
    return at === 0 || isSpace(before) || before === 96
  }

  /** `--password secret`, `-u user:secret`, `-p secret`. */
  readDash(at: number): void {
    const { scan } = this
    const before = scan.code(at - 1)
    if (at > 0 && !isSpace(before) && !isQuote(before) && before !== 96 && before !== 91) return
    const isLong = scan.code(at + 1) === 45
    const from = isLong ? at + 2 : at + 1
    const end = scan.runEnd(NAMES, from)
    const isName = end - from > 1 && end - from <= MAX_FLAG
    if (isName && this.#readFlag(from, end, isLong)) return
    if (!isLong && this.#options !== '') this.#readOption(at, end)
  }

  #readFlag(from: number, end: number, isLong: boolean): boolean {
    const { scan } = this
    const separator = this.separatorEnd(end)
    if (separator === end) return false
    if (this.#options.includes(':') && /^(?:proxy-|http-)?user$/.test(scan.text.slice(from, end)))
      return this.#readUser(separator)
    if (!isLong && scan.text.startsWith('pass', from) && scan.text.startsWith('pass:', separator))
      this.readArgument(separator + 5, SURELY, COMMAND_KIND)
    else {
      const level = this.#flagLevel(from, end)
      if (level === NOT_SECRET) return false
      this.readArgument(separator, level, COMMAND_KIND)
    }
    return true
  }

  #flagLevel(from: number, end: number): number {
    const level = this.key.read(this.scan, end)
    if (this.key.isValue) return Math.max(level, this.pair.pendingLevel(from))
    return this.key.isPass ? SURELY : level
  }

  /** Where the argument begins: after blanks, or after the separator of a list (`", "`). */
  separatorEnd(end: number): number {
    const { scan } = this
    if (!isQuote(scan.code(end))) return this.skipBlanks(end)
    return scan.code(end + 1) === 44 ? this.skipBlanks(end + 2) : end
  }

  /** Where the next pipe of the line is, if it leads to a program that reads a password; -1 otherwise. Called in the order of the text. */
  pipeAfter(from: number): number {
    const { codes, length } = this.scan
    if (from > this.#pipeAt) {
      let at = from
      while (at < length && !endsCommand(codes[at] as number)) at++
      this.#pipeAt = at
      this.#isPiped = this.#takesPassword(at)
    }
    return this.#isPiped ? this.#pipeAt : -1
  }

  /** Whether the program behind the pipe at `at` reads a password. */
  #takesPassword(at: number): boolean {
    const { length, text } = this.scan
    if (this.#stdinAt < at) {
      const place = text.indexOf(STDIN, at)
      this.#stdinAt = place < 0 ? length : place
    }
    const piped = this.#stdinAt - at <= MAX_ARGUMENT ? PIPED_STDIN : PIPED
    piped.lastIndex = at
    return piped.test(text)
  }

  /** One letter, alone or the last of several: `-u`, `-su`. */
  #readOption(at: number, end: number): boolean {
    const { scan } = this
    if (this.#isBatch) return this.#readBatch(at, end)
    const first = this.#options.indexOf(scan.text[at + 1] ?? ' ')
    const sign = first < 0 ? '' : this.#options[first + 1]
    const isJoined = end > at + 2 || !isSpace(scan.code(end))
    if (sign === '+' || (sign === '*' && isJoined))
      return isJoined && this.readArgument(at + 2, SURELY, COMMAND_KIND)
    if (sign === ':' && end > at + 2) return this.#readUser(at + 2)
    const last = end - at < 5 ? this.#options.indexOf(scan.text[end - 1] ?? ' ') : -1
    const from = this.skipBlanks(end)
    if (last < 0 || from === end) return false
    if (this.#options[last + 1] === ':') return this.#readUser(from)
    return this.readArgument(from, SURELY, COMMAND_KIND)
  }

  /** `-nb user secret`, `-b file user secret`. */
  #readBatch(at: number, end: number): boolean {
    const letters = this.scan.text.slice(at, Math.min(end, at + 8))
    if (!letters.includes('b')) return false
    let place = bareEnd(this.scan, this.skipBlanks(end))
    if (!letters.includes('n')) place = bareEnd(this.scan, this.skipBlanks(place))
    const from = this.skipBlanks(place)
    return from > place && this.readArgument(from, SURELY, COMMAND_KIND)
  }

  #readUser(at: number): boolean {
    const { scan } = this
    if (!this.takeArgument(at) || this.value.hasMarker) return false
    let colon = this.from
    while (colon < this.end && !isUserEnd(scan.code(colon))) colon++
    if (colon >= this.end - 1) return false
    this.value.read(scan, colon + 1, this.end, true)
    if (isPlaceholder(scan, this.value) || this.value.isKnownWord()) return false
    return scan.plan(COMMAND_KIND, at, colon + 1, this.end)
  }

  /** Reads the argument at `from`. True when it is secret. */
  readArgument(from: number, level: number, kind: string): boolean {
    if (!this.takeArgument(from) || this.scan.code(this.from) === 45) return false
    return isSecretValue(this.scan, this.value, level) && this.scan.plan(kind, from, this.from, this.end)
  }

  skipBlanks(at: number): number {
    let end = at
    while (end < at + 8 && (this.scan.bits(end) & BLANK) !== 0) end++
    return end
  }

  /** The argument at `at`, in quotes or not. False when there is none. */
  takeArgument(at: number): boolean {
    const { scan } = this
    const quote = scan.code(at)
    const isQuoted = isQuote(quote)
    const isEscaped = quote === 92 && isQuote(scan.code(at + 1))
    this.from = at + (isEscaped ? 2 : isQuoted ? 1 : 0)
    const end = isQuoted ? quoteEnd(scan, this.from, quote) : bareEnd(scan, this.from)
    this.end = scan.beforeKey(this.from, end)
    this.value.read(scan, this.from, this.end, isQuoted)
    return this.end > this.from
  }

  /** `"NAME", "secret"`, as in a call or a list. Where to go on. */
  readComma(at: number): number {
    const { key, scan } = this
    const quote = scan.code(at - 1)
    if (!isQuote(quote)) return at + 1
    const from = this.skipBlanks(at + 1)
    if (scan.code(from) !== quote) return at + 1
    const level = key.read(scan, at - 1, true)
    if (level === NOT_SECRET || scan.code(key.start(scan) - 1) !== quote) return at + 1
    if (key.isAuthorization) return readAuthorization(this.pair, from, at + 1)
    let before = key.start(scan) - 2
    while ((scan.bits(before) & BLANK) !== 0 && before > key.start(scan) - 6) before--
    const isCall = scan.code(before) === 40
    this.readArgument(from, isCall && level === SURELY ? SURELY : IF_RANDOM, KEYED_KIND)
    return at + 1
  }
}

/** `|`, a line end or the start of a marker. */
function endsCommand(code: number): boolean {
  return code === 124 || code === 10 || code === 0xab
}

/** `"` or `'`. */
export function isQuote(code: number): boolean {
  return code === 34 || code === 39
}

/** `:`, `,` or `%`. */
function isUserEnd(code: number): boolean {
  return code === 58 || code === 44 || code === 37
}

function quoteEnd({ codes, length }: Scan, from: number, quote: number): number {
  for (let at = from; at < from + MAX_ARGUMENT && at < length; at++) {
    const code = codes[at]
    if (code === quote) return at
    if (code === 10) break
  }
  return from
}
