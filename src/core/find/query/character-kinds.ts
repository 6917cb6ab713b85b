/** Character classes of a folded text for the tokenizer. The first four form runs: see `isInRun`. */

/** `a` to `z`. */
export const LETTER = 1
/** `0` to `9`. */
export const DIGIT = 2
/** A letter or digit of another alphabet. */
export const OTHER = 3
/** A mark that its script needs, such as the vowel signs of Devanagari: part of the preceding character. */
export const MARK = 4
export const SEPARATOR = 5
/** Of a script written without spaces: each is a word. */
export const SINGLE = 6
/** An emoji or another meaningful symbol. */
export const SYMBOL = 7
/** Half a flag. */
export const REGIONAL = 8
export const APOSTROPHE = 9
export const HASH = 10
/** Joins two emoji into one. */
export const JOINER = 11

const UNSPACED = [
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
  'Yi',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
]
// Extensions: the Japanese long-vowel mark belongs to two scripts, so its script is Common.
const unspaced = UNSPACED.map((script) => String.raw`\p{scx=${script}}`).join('')
const IS_SINGLE = new RegExp(String.raw`^[[${unspaced}]&&[\p{L}\p{Nl}]]$`, 'v')
const IS_MARK = /^\p{M}$/u
const IS_OTHER = /^[\p{L}\p{N}]$/u
const IS_REGIONAL = /^\p{Regional_Indicator}$/u
// Lines, blocks and dots draw pictures in code blocks, a hundred in a row, and are not search terms; nor are the signs
// for copyright and degree, which are attached to words.
const IS_SYMBOL =
  /^[[\p{So}\p{Emoji_Presentation}\p{Extended_Pictographic}]--[\u2500-\u259f\u2800-\u28ff\ufffc\ufffd]--[\0-\xff]]$/v

/** Filled on demand: classifying a character takes several regular expressions. Untouched pages cost no memory. */
const kinds = new Uint8Array(0x110000)
for (let code = 0; code < 128; code++) kinds[code] = SEPARATOR
for (const code of range('a', 'z')) kinds[code] = LETTER
for (const code of range('0', '9')) kinds[code] = DIGIT
for (const apostrophe of "'’ʼ") kinds[apostrophe.charCodeAt(0)] = APOSTROPHE
kinds['#'.charCodeAt(0)] = HASH
kinds[0x200d] = JOINER

/** The kind of the character at `at`; the second half of a surrogate pair separates. */
export function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (unit < 128) return kinds[unit] ?? SEPARATOR
  const codePoint = (unit & 0xfc00) === 0xd800 ? (text.codePointAt(at) ?? unit) : unit
  return kinds[codePoint] || classify(codePoint)
}

export function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

/** A run of letters, digits and marks is one word. */
export function isInRun(kind: number): boolean {
  return kind <= MARK
}

function classify(codePoint: number): number {
  const kind = kindOf(String.fromCodePoint(codePoint))
  kinds[codePoint] = kind
  return kind
}

function kindOf(character: string): number {
  if (IS_SINGLE.test(character)) return SINGLE
  if (IS_MARK.test(character)) return MARK
  if (IS_OTHER.test(character)) return OTHER
  if (IS_REGIONAL.test(character)) return REGIONAL
  return IS_SYMBOL.test(character) ? SYMBOL : SEPARATOR
}

function range(first: string, last: string): number[] {
  const start = first.charCodeAt(0)
  return Array.from({ length: last.charCodeAt(0) - start + 1 }, (_, index) => start + index)
}
