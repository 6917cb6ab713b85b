import { ALNUM, BASE64_SIGN, bitsOf, DASH, DIGIT, HEX, isEscapeLetter, NAME, UPPER, WORD } from './chars.ts'
import type { Hit } from './hit.ts'

/** The characters of a token: an index of `MASKS`. Parts of a token that are read ahead have a separate entry. */
export const NAMES = 0
export const ALNUMS = 1
export const WORDS = 2
export const HEXES = 3
export const CAPITALS = 4
export const BASE64S = 5
export const DASHED = 6
export const SECOND_NAMES = 7
export const THIRD_NAMES = 8
const MASKS = [NAME, ALNUM, WORD, HEX, UPPER | DIGIT, NAME | BASE64_SIGN, ALNUM | DASH, NAME, NAME] as const

const NEVER = -1
/** Behind the end of any text. */
const FAR = 2 ** 30 - 1
const BLANK_CODE = 32
const DASH_CODE = 45
const BACKSLASH_CODE = 92
const PERCENT_CODE = 37
/** How many secrets in a row are distinguished, and the largest gap within a row. */
const MAX_ROW = 1000
const MAX_GAP = 16
const MAX_MANIFEST = 4096

type Place = Omit<Hit, 'kind'>

/** How far a read past the end of a text may go. */
const PAD = 64
const KEPT = 64 * 1024
/** Below it, a loop is quicker than a call of the runtime. */
const SHORT = 48
const keptBytes = Buffer.allocUnsafeSlow(2 * (KEPT + PAD))
const keptCodes = new Uint16Array(keptBytes.buffer)

/** The characters of a text as numbers, and zeros: quicker to read again and again than the text itself. The next text takes their place. */
function codesOf(text: string): Uint16Array {
  const { length } = text
  if (length > KEPT) return fillCodes(text, Buffer.allocUnsafeSlow(2 * (length + PAD)))
  if (length > SHORT) return fillCodes(text, keptBytes)
  for (let at = 0; at < length; at++) keptCodes[at] = text.charCodeAt(at)
  return keptCodes.fill(0, length, length + PAD)
}

function fillCodes(text: string, bytes: Buffer): Uint16Array {
  bytes.write(text, 'utf16le')
  const codes = bytes === keptBytes ? keptCodes : new Uint16Array(bytes.buffer)
  return codes.fill(0, text.length, text.length + PAD)
}

/**
 * A text that is read once, from its start to its end, and the hits so far. Lookahead is cached, so that no character
 * is read repeatedly: the time is linear in the length of any text.
 */
export class Scan {
  text = ''
  length = 0
  codes: Uint16Array = keptCodes
  hits: Hit[] = []
  /** The end of the last hit: no later hit begins before it. */
  floor = 0
  /** Where a word begins after an escape, in the middle of letters. */
  escapeEnd = NEVER
  lineStart = 0
  /** Where the next planned hit begins. */
  stop = FAR
  /** The value without quotes that was read last: see `bare-value.ts`. */
  bareFrom = NEVER
  bareStop = NEVER
  bareEnd = NEVER
  /** How many others began in the middle of it. */
  bareReads = 0
  readonly #askEnabled: (kind: string) => boolean
  /** The kind that was asked for last: most texts have many of one. */
  #askedKind = ''
  #isAskedEnabled = false
  /** Where invisible characters were removed: words begin there too. In order. */
  #cuts: readonly number[] = []
  #nextCut = 0
  #keys: readonly Place[] = []
  #nextKey = 0
  readonly #runStarts = new Int32Array(MASKS.length).fill(NEVER)
  readonly #runEnds = new Int32Array(MASKS.length).fill(NEVER)
  #planned: Hit[] = []
  /** How many hits there are one after the other. */
  #row = 0
  #markFrom = NEVER
  #markAt = NEVER
  #signAt = NEVER
  #kindAt = NEVER
  #indentOf = NEVER
  #indent = 0
  #lineEnd = NEVER

  constructor(isEnabled: (kind: string) => boolean) {
    this.#askEnabled = isEnabled
  }

  /** Begins with another text. `cuts`: where characters that are not shown were taken out; `keys`: private keys, found before since they go over many lines. Both in order. */
  open(text: string, cuts: readonly number[] = [], keys: readonly Place[] = []): void {
    this.text = text
    this.length = text.length
    this.codes = codesOf(text)
    this.hits = []
    this.floor = this.lineStart = this.bareReads = 0
    this.stop = FAR
    this.escapeEnd = this.bareFrom = this.bareStop = this.bareEnd = NEVER
    this.#cuts = cuts
    this.#keys = keys
    this.#planned = []
    this.#nextCut = this.#nextKey = this.#row = 0
    this.#markFrom = this.#markAt = this.#signAt = this.#lineEnd = this.#kindAt = this.#indentOf = NEVER
    this.#runStarts.fill(NEVER)
    this.#runEnds.fill(NEVER)
  }

  bits(at: number): number {
    return at < 0 ? 0 : bitsOf(this.codes[at] as number)
  }

  /** 0 outside of the text; not asked for far behind its end. */
  code(at: number): number {
    return at < 0 ? 0 : (this.codes[at] as number)
  }

  /** Notes a hit, unless its kind is disabled or it overlaps a planned one. The text before `from` was already read. */
  hit(kind: string, start: number, from: number, end: number): boolean {
    if (end > this.stop || !this.#isEnabled(kind)) return false
    if (!this.#joins(from, end)) this.hits.push({ kind, start: Math.max(start, this.floor), from, end })
    this.floor = end
    return true
  }

  #isEnabled(kind: string): boolean {
    if (kind !== this.#askedKind) {
      this.#isAskedEnabled = this.#askEnabled(kind)
      this.#askedKind = kind
    }
    return this.#isAskedEnabled
  }

  /** After very many secrets in a row, further ones become one with the last: a text of nothing else would grow without end. */
  #joins(from: number, end: number): boolean {
    this.#row = from - this.floor <= MAX_GAP ? this.#row + 1 : 0
    const last = this.#row > MAX_ROW ? this.hits.at(-1) : undefined
    if (!last) return false
    last.end = end
    return true
  }

  /** Plans a hit ahead: the text before it is still to be read. False if it is not accepted. */
  plan(kind: string, start: number, from: number, end: number): boolean {
    if (from < this.floor || !this.#isEnabled(kind)) return false
    let place = this.#planned.length
    while (place > 0 && (this.#planned[place - 1] as Hit).from > from) place--
    const isAfter = place === 0 || from >= (this.#planned[place - 1] as Hit).end
    if (!isAfter || end > (this.#planned[place]?.from ?? this.length)) return false
    if (place === this.#planned.length) this.#planned.push({ kind, start, from, end })
    else this.#planned.splice(place, 0, { kind, start, from, end })
    this.stop = (this.#planned[0] as Hit).from
    return true
  }

  /** Takes the hit planned for `at`. Where to continue. */
  takePlanned(at: number): number {
    const { kind, start, from, end } = this.#planned.shift() as Hit
    this.stop = FAR
    const isTaken = from >= this.floor && this.hit(kind, start, from, end)
    this.stop = this.#planned[0]?.from ?? FAR
    return isTaken ? Math.max(at, end) : at
  }

  /** The private key that begins at `at`. */
  privateKeyAt(at: number): Place | undefined {
    this.#passKeys(at)
    const key = this.#keys[this.#nextKey]
    return key?.start === at ? key : undefined
  }

  /** Where a value from `from` to `end` ends, at the latest where a private key begins. */
  beforeKey(from: number, end: number): number {
    if (this.#keys.length === 0) return end
    let next = this.#nextKey
    while (next < this.#keys.length && (this.#keys[next] as Place).start < from) next++
    const key = this.#keys[next]
    return key ? Math.min(end, key.start) : end
  }

  #passKeys(at: number): void {
    while (this.#nextKey < this.#keys.length && (this.#keys[this.#nextKey] as Place).start < at)
      this.#nextKey++
  }

  /** Whether the manifest that `at` is in says further below that it is a secret. */
  isManifestAhead(at: number): boolean {
    if (this.#kindAt < at) {
      const place = this.text.indexOf('\nkind: ', at)
      this.#kindAt = place < 0 ? this.length : place
    }
    return this.#kindAt - at <= MAX_MANIFEST && this.text.startsWith('\nkind: Secret', this.#kindAt)
  }

  /** How many blanks the current line begins with. */
  lineIndent(): number {
    if (this.#indentOf !== this.lineStart) {
      this.#indentOf = this.lineStart
      this.#indent = this.indentAt(this.lineStart)
    }
    return this.#indent
  }

  indentAt(lineStart: number): number {
    let at = lineStart
    while (this.codes[at] === BLANK_CODE) at++
    return at - lineStart
  }

  /** Whether a marker of an earlier time is between two places. */
  hasMarker(from: number, end: number): boolean {
    if (from < this.#markFrom || from > this.#markAt) {
      const place = this.text.indexOf('«redacted:', from)
      this.#markFrom = from
      this.#markAt = place < 0 ? this.length : place
    }
    return this.#markAt < end
  }

  /** Where the characters of one alphabet end that are at `at`. */
  runEnd(alphabet: number, at: number): number {
    const known = this.#runEnds[alphabet] as number
    if (at <= known && at >= (this.#runStarts[alphabet] as number)) return known
    const mask = MASKS[alphabet] as number
    const { codes } = this
    let end = at
    while ((bitsOf(codes[end] as number) & mask) !== 0) end++
    this.#runStarts[alphabet] = at
    this.#runEnds[alphabet] = end
    return end
  }

  /** Where `sign` is next, at `at` or later; the length of the text if it does not occur. Only one sign is cached. */
  nextSign(sign: string, at: number): number {
    if (this.#signAt < at) {
      const place = this.text.indexOf(sign, at)
      this.#signAt = place < 0 ? this.length : place
    }
    return this.#signAt
  }

  lineEnd(at: number): number {
    if (at > this.#lineEnd || at < this.lineStart) {
      const end = this.text.indexOf('\n', at)
      this.#lineEnd = end < 0 ? this.length : end
    }
    return this.#lineEnd
  }

  /** How much at the start of a name is the end of an escape: of `\\nNAME`, `%3DNAME`. */
  escapeTail(start: number): number {
    const before = this.code(start - 1)
    if (before === BACKSLASH_CODE) return isEscapeLetter(this.code(start)) ? 1 : 0
    if (before !== PERCENT_CODE) return 0
    return (this.bits(start) & this.bits(start + 1) & ALNUM) !== 0 ? 2 : 0
  }

  /** Where the word ends that begins at `at`: before anything but letters and digits, and where another one begins. */
  wordEnd(at: number): number {
    const { codes } = this
    let stop = this.length
    if (this.escapeEnd > at) stop = this.escapeEnd
    while (this.#nextCut < this.#cuts.length && (this.#cuts[this.#nextCut] as number) <= at) this.#nextCut++
    if (this.#nextCut < this.#cuts.length) stop = Math.min(stop, this.#cuts[this.#nextCut] as number)
    let end = at + 1
    while (end < stop && (bitsOf(codes[end] as number) & ALNUM) !== 0) end++
    return end
  }

  /** Whether something new begins at `at`, a little ahead, although it looks as if the word went on. */
  isWordStart(at: number): boolean {
    if (this.codes[at] === DASH_CODE && this.text.startsWith('-----BEGIN ', at)) return true
    for (let next = this.#nextCut; next < this.#cuts.length; next++) {
      const cut = this.#cuts[next] as number
      if (cut >= at) return cut === at
    }
    return false
  }
}
