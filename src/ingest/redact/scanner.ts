import { Addresses } from './address.ts'
import { Assignments } from './assignment.ts'
import { Commands } from './command-line.ts'
import { readElement } from './element.ts'
import { findVisible, placeHits } from './invisible.ts'
import { Pair } from './pair.ts'
import { findPrivateKeys } from './private-key.ts'
import { isWordAt, WORDS, type Word } from './scanned-words.ts'
import { Sentences } from './sentence.ts'
import { Tables } from './table.ts'
import { ALNUM, ARROW, bitsOf, HEX, isEscapeLetter, UNDERSCORE, UPPER, WIDE_COLON } from './text/chars.ts'
import type { Hit } from './text/hit.ts'
import { HASH_KIND, PRIVATE_KEY_KIND } from './text/kinds.ts'
import type { Entry } from './text/prefix-index.ts'
import { Scan } from './text/scan.ts'
import { discordBotToken, type TokenKind } from './token-kinds.ts'

/** The kinds of words and signs that a character may begin, or be the middle of. */
const NOTHING = 0
const WORD = 1
const COLON = 2
const EQUALS = 3
const GREATER = 4
const DASH = 5
const LINE_END = 6
const ESCAPE = 7
const PERCENT = 8
const COLOUR = 9
const DOLLAR = 10
const COMMA = 11
const CALL = 12

const ACTIONS = new Uint8Array(128)
for (let code = 0; code < ACTIONS.length; code++) if ((bitsOf(code) & ALNUM) !== 0) ACTIONS[code] = WORD
for (const [character, action] of [
  [':', COLON],
  ['=', EQUALS],
  ['>', GREATER],
  ['-', DASH],
  ['\n', LINE_END],
  ['\\', ESCAPE],
  ['%', PERCENT],
  ['\x1b', COLOUR],
  ['$', DOLLAR],
  [',', COMMA],
  ['(', CALL],
] as const)
  ACTIONS[character.charCodeAt(0)] = action

const MARK_START = 0xab
const MARKER = /«redacted:[a-z0-9_-]{1,64}»/y
const COLOUR_CODE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]{0,10}m`, 'y')
const PASSWORD_HASH =
  /\$(?:apr1|2[abxy]|[156y]|argon2id?|argon2i|scrypt|pbkdf2[a-z0-9-]{0,12})\$[\w./$=,+-]{20,400}/y

/** Finds every secret of the enabled kinds, in order and without overlaps, in one pass over a text. */
export function createScanner(isEnabled: (kind: string) => boolean): (text: string) => Hit[] {
  const scanner = new Scanner(isEnabled)
  return (text) => {
    const visible = findVisible(text)
    return visible ? placeHits(scanner.run(visible.text, visible.cuts), visible) : scanner.run(text)
  }
}

class Scanner {
  readonly #scan: Scan
  readonly #pair: Pair
  readonly #assignments: Assignments
  readonly #addresses: Addresses
  readonly #commands: Commands
  readonly #sentences: Sentences
  readonly #tables: Tables
  readonly #hasKeys: boolean

  constructor(isEnabled: (kind: string) => boolean) {
    this.#hasKeys = isEnabled(PRIVATE_KEY_KIND)
    this.#scan = new Scan(isEnabled)
    this.#pair = new Pair(this.#scan)
    this.#assignments = new Assignments(this.#pair)
    this.#addresses = new Addresses(this.#scan)
    this.#commands = new Commands(this.#pair)
    this.#sentences = new Sentences(this.#commands, (at) => this.#isToken(at))
    this.#tables = new Tables(this.#scan)
  }

  run(text: string, cuts?: readonly number[]): Hit[] {
    this.#scan.open(text, cuts, this.#hasKeys ? findPrivateKeys(text) : [])
    this.#pair.reset()
    this.#assignments.reset()
    this.#commands.reset()
    this.#sentences.reset()
    this.#tables.reset()
    this.#read()
    const { hits } = this.#scan
    return hits
  }

  #read(): void {
    const scan = this.#scan
    const { codes, length } = scan
    let at = 0
    this.#tables.read(0)
    while (at < length) {
      if (at >= scan.stop) {
        at = scan.takePlanned(at)
        continue
      }
      const code = codes[at] as number
      if (code < 128) {
        const action = ACTIONS[code] as number
        if (action === WORD) at = this.#readWord(at, code)
        else at = action === NOTHING ? at + 1 : this.#act(action, at)
      } else at = code < MARK_START ? at + 1 : this.#actWide(code, at)
    }
  }

  #act(action: number, at: number): number {
    switch (action) {
      case COLON:
        return this.#readColon(at)
      case EQUALS:
        return this.#readEquals(at)
      case GREATER:
        return this.#readGreater(at)
      case DASH:
        return this.#readDash(at)
      case LINE_END:
        return this.#readLineEnd(at)
      case COMMA:
        return this.#commands.readComma(at)
      case CALL:
        return this.#assignments.readCall(at)
      case DOLLAR:
        return this.#readHash(at)
      default:
        return this.#readEscape(action, at)
    }
  }

  #actWide(code: number, at: number): number {
    if (code === MARK_START) {
      MARKER.lastIndex = at
      const marker = MARKER.exec(this.#scan.text)
      if (!marker) return at + 1
      this.#scan.floor = at + marker[0].length
      return this.#scan.floor
    }
    if (code === WIDE_COLON) return this.#assignments.readWideColon(at)
    if (code === ARROW) return this.#assignments.readArrow(at, at + 1)
    return at + 1
  }

  /** Reads the word at `at` that begins with `first`. */
  #readWord(at: number, first: number): number {
    const scan = this.#scan
    const words = WORDS.find(first, scan.code(at + 1))
    if (words) {
      const next = this.#readWords(words, at)
      if (next > at) return next
    }
    if (first >= 77 && first <= 79) {
      const end = discordBotToken(scan, at)
      if (end > 0 && scan.hit('discord_bot_token', at, at, end)) return end
    }
    return scan.wordEnd(at)
  }

  #readWords(words: readonly Entry<Word>[], at: number): number {
    const scan = this.#scan
    const third = scan.code(at + 2)
    for (let i = 0; i < words.length; i++) {
      const entry = words[i] as Entry<Word>
      if (!isWordAt(scan, entry, at, third)) continue
      const next = this.#readFound(entry.found, at, at + entry.length)
      if (next > at) return next
    }
    return -1
  }

  #readFound({ token, command, sentence }: Word, at: number, end: number): number {
    if (token) return this.#takeToken(token, at, end) ? this.#scan.floor : -1
    if ((this.#scan.bits(end) & (ALNUM | UNDERSCORE)) !== 0 && !this.#scan.isWordStart(end)) return -1
    if (command) this.#commands.readWord(command, at, end)
    else this.#sentences.readWord(sentence, at, end)
    return -1
  }

  #isToken(at: number): boolean {
    const scan = this.#scan
    const words = WORDS.find(scan.code(at), scan.code(at + 1)) ?? []
    return words.some(
      (entry) =>
        entry.found.token !== undefined &&
        isWordAt(scan, entry, at, scan.code(at + 2)) &&
        entry.found.token.measure(scan, at + entry.length, at) > 0,
    )
  }

  #takeToken({ kind, measure, isAddress }: TokenKind, at: number, body: number): boolean {
    const scan = this.#scan
    const end = measure(scan, body, at)
    if (end < 0 || isFiller(scan.text, body, end)) return false
    const start = isAddress ? this.#withScheme(at) : at
    return scan.hit(kind, start, start, end)
  }

  #withScheme(at: number): number {
    const { text, floor } = this.#scan
    for (const scheme of ['https://', 'http://']) {
      const start = at - scheme.length
      const isWord = (this.#scan.bits(start - 1) & ALNUM) === 0
      if (start >= floor && isWord && text.slice(start, at).toLowerCase() === scheme) return start
    }
    return at
  }

  #readColon(at: number): number {
    const scan = this.#scan
    const after = scan.code(at + 1)
    if (after === 58) return at + 2
    // `:=` is read at its end.
    if (after === 61) return at + 1
    const address = this.#addresses.read(at, after)
    if (address > at) return address
    return this.#assignments.readColon(at)
  }

  #readEquals(at: number): number {
    const scan = this.#scan
    const after = scan.code(at + 1)
    if (after === 61 || after === 126) return at + 2
    let start = at
    const before = scan.code(at - 1)
    // `:=`, `?=`, `+=`, `||=`; but no comparison.
    if (before === 58 || before === 63 || before === 43) start = at - 1
    else if (before === 124) start = scan.code(at - 2) === 124 ? at - 2 : at - 1
    else if (before === 33 || before === 60 || before === 62 || before === 126) return at + 1
    const next = after === 62 ? at + 2 : at + 1
    return this.#assignments.readEquals(start, at, next)
  }

  #readGreater(at: number): number {
    const before = this.#scan.code(at - 1)
    if (before === 45) return this.#assignments.readArrow(at - 1, at + 1)
    return readElement(this.#pair, at)
  }

  #readDash(at: number): number {
    const scan = this.#scan
    const key = scan.privateKeyAt(at)
    if (key && scan.hit(PRIVATE_KEY_KIND, key.start, key.from, key.end)) return key.end
    this.#commands.readDash(at)
    return at + 1
  }

  #readLineEnd(at: number): number {
    this.#commands.endLine(at)
    this.#scan.lineStart = at + 1
    this.#tables.read(at + 1)
    return at + 1
  }

  #readHash(at: number): number {
    const { text } = this.#scan
    PASSWORD_HASH.lastIndex = at
    const found = PASSWORD_HASH.exec(text)
    if (!found) return at + 1
    const end = at + found[0].length
    return this.#scan.hit(HASH_KIND, at, at, end) ? end : at + 1
  }

  /** A word begins after an escape, although letters precede it. */
  #readEscape(action: number, at: number): number {
    const scan = this.#scan
    if (action === PERCENT) {
      if (isHex(scan, at + 1, at + 3)) scan.escapeEnd = at + 3
      return at + 1
    }
    if (action === COLOUR) {
      COLOUR_CODE.lastIndex = at
      const found = COLOUR_CODE.exec(scan.text)
      return found ? at + found[0].length : at + 1
    }
    const letter = scan.code(at + 1)
    if (letter === 117 && isHex(scan, at + 2, at + 6)) scan.escapeEnd = at + 6
    else if (letter === 120 && isHex(scan, at + 2, at + 4)) scan.escapeEnd = at + 4
    else if (isEscapeLetter(letter)) scan.escapeEnd = at + 2
    return at + 1
  }
}

function isHex(scan: Scan, from: number, end: number): boolean {
  for (let at = from; at < end; at++) {
    const bits = scan.bits(at)
    if ((bits & HEX) === 0 && ((bits & UPPER) === 0 || scan.code(at) > 70)) return false
  }
  return true
}

/** `xxxx`: an example in a text about tokens. */
function isFiller(text: string, from: number, end: number): boolean {
  const first = text.charCodeAt(from) | 32
  if (first !== 120) return false
  for (let at = from + 1; at < end; at++) if ((text.charCodeAt(at) | 32) !== first) return false
  return true
}
