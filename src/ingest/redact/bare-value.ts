import { ALNUM, CLOSING, DASH, DOT, isSpace, UNDERSCORE } from './text/chars.ts'
import type { Scan } from './text/scan.ts'

const MAX_NAME = 40
const COLON = 58
const EQUALS = 61
/** A marker is part of its word, as the secret was. */
const MARK_START = 0xab
/** The characters besides blanks that end a value. */
const MAY_END = new Uint8Array(128)
for (const character of '"\'`<\\&,;|') MAY_END[character.charCodeAt(0)] = 1

/**
 * Where an unquoted value that begins at `from` ends: at a blank, a quote that closes its surroundings, a closing tag,
 * the next pair. The end of a sentence, a list or a bracket is not part of it.
 */
export function bareEnd(scan: Scan, from: number): number {
  if (from < scan.bareFrom || from > scan.bareStop) readBare(scan, from)
  else scan.bareReads++
  return Math.max(from, scan.bareEnd)
}

/** Caches the end: many values may begin before it, and none of them is read again. */
function readBare(scan: Scan, from: number): void {
  let stop = from
  while (stop < scan.length && !endsBare(scan, stop)) stop++
  let end = stop
  while (end > from && (scan.bits(end - 1) & CLOSING) !== 0) end--
  scan.bareFrom = from
  scan.bareStop = stop
  scan.bareEnd = end
  scan.bareReads = 0
}

function endsBare(scan: Scan, at: number): boolean {
  const code = scan.codes[at] as number
  if (code >= 128 || code <= 32) return isSpace(code)
  if (MAY_END[code] === 0) return false
  switch (code) {
    case 34:
    case 39:
    case 96:
      return !isWordAt(scan, at + 1) && scan.code(at + 1) !== MARK_START
    case 60:
      return scan.code(at + 1) === 47
    case 92:
      return isQuoteCode(scan.code(at + 1))
    case 38:
    case 44:
    case 59:
      return beginsPair(scan, at + 1)
    case 124:
      // Of rules, `required|min:12`, a bar and a colon are parts.
      return scan.code(nameEnd(scan, at + 1)) === EQUALS
    default:
      return false
  }
}

function isWordAt(scan: Scan, at: number): boolean {
  return (scan.bits(at) & (ALNUM | UNDERSCORE)) !== 0
}

function isQuoteCode(code: number): boolean {
  return code === 34 || code === 39 || code === 96
}

/** `name=`, `name:`, `{"name":`: after `;`, `&` or `,` it begins the next pair. Also an entity that closes a quote. */
function beginsPair(scan: Scan, at: number): boolean {
  const end = nameEnd(scan, at)
  return end > at && (scan.code(end) === EQUALS || scan.code(end) === COLON)
}

/** Where the name of a pair ends, in quotes or not, that may begin at `at`; `at` when there is none. */
function nameEnd(scan: Scan, at: number): number {
  let from = scan.code(at) === 123 ? at + 1 : at
  const quote = isQuoteCode(scan.code(from)) ? scan.code(from++) : 0
  let end = from
  while (end < from + MAX_NAME && (scan.bits(end) & (ALNUM | UNDERSCORE | DASH | DOT)) !== 0) end++
  if (end === from || (quote !== 0 && scan.code(end++) !== quote)) return at
  return end
}
