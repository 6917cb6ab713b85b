/** Character classes, one bit each, so that the scanner looks up a table instead of matching an expression. */
export const DIGIT = 1
export const UPPER = 2
export const LOWER = 4
export const UNDERSCORE = 8
export const DASH = 16
/** 0-9 and a-f. */
export const HEX = 32
/** `+`, `/` and `=`: characters of base64 besides letters and digits. */
export const BASE64_SIGN = 64
/** A space or a tab. */
export const BLANK = 128
export const DOT = 256
/** An opening bracket. */
export const OPEN = 512
/** Characters that end a sentence, a list or a bracket. */
export const CLOSING = 1024
export const QUOTE = 2048
export const SYMBOL = 4096
/** `\s` of a regular expression. */
export const SPACE = 8192
/** A letter of another script, as needed for names of keys: no blank, no punctuation, no quotation mark of Latin-1. */
export const FOREIGN = 16384

/** Signs of other scripts between a key and its value. */
export const WIDE_COLON = 0xff1a
export const ARROW = 0x2192

export const LETTER = UPPER | LOWER
export const ALNUM = DIGIT | LETTER
/** `\w` of a regular expression. */
export const WORD = ALNUM | UNDERSCORE
/** `[\w-]`. */
export const NAME = WORD | DASH

const MEMBERS: readonly [bit: number, characters: string][] = [
  [DIGIT | HEX, '0123456789'],
  [UPPER, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [LOWER, 'abcdefghijklmnopqrstuvwxyz'],
  [HEX, 'abcdef'],
  [UNDERSCORE, '_'],
  [DASH, '-'],
  [BASE64_SIGN, '+/='],
  [BLANK, ' \t'],
  [DOT, '.'],
  [OPEN, '([{<'],
  [CLOSING, '.,;:)]}>|*'],
  [QUOTE, '"\'`'],
  [SYMBOL, '!@#$%^&~?\\+/=*|<>'],
]

const BITS = new Uint16Array(0x10000)
for (const [bit, characters] of MEMBERS)
  for (const character of characters) {
    const code = character.charCodeAt(0)
    BITS[code] = (BITS[code] as number) | bit
  }
for (let code = 0; code < BITS.length; code++) {
  if (/\s/.test(String.fromCharCode(code))) BITS[code] = (BITS[code] as number) | SPACE
  else if (code >= 0xc0 && !(code >= 0x2000 && code <= 0x206f)) BITS[code] = FOREIGN
}
BITS[WIDE_COLON] = BITS[ARROW] = 0

/** 0 for a character of no class. */
export function bitsOf(code: number): number {
  return BITS[code] as number
}

/** `n`, `r`, `t`, `b`, `f`, `v` or `0`: after a backslash. */
export function isEscapeLetter(code: number): boolean {
  switch (code) {
    case 48:
    case 98:
    case 102:
    case 110:
    case 114:
    case 116:
    case 118:
      return true
    default:
      return false
  }
}

export function isSpace(code: number): boolean {
  return ((BITS[code] as number) & SPACE) !== 0
}

/** The end of a line or of the text, a backslash, or a separator of items. */
export function beginsNothing(code: number): boolean {
  return code === 10 || code === 13 || code === 0 || code === 92 || code === 44 || code === 59
}

/** `,`, `;` or a closing bracket. */
export function endsItem(code: number): boolean {
  return code === 44 || code === 59 || code === 41 || code === 93 || code === 125
}

/** A quote, `<`, `\\`, `|`, `)`, `/` or `&`. */
export function endsWord(code: number): boolean {
  switch (code) {
    case 34:
    case 38:
    case 39:
    case 41:
    case 47:
    case 60:
    case 92:
    case 96:
    case 124:
      return true
    default:
      return false
  }
}
