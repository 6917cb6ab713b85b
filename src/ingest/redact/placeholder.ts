import {
  ALNUM,
  BASE64_SIGN,
  bitsOf,
  CLOSING,
  DIGIT,
  HEX,
  LETTER,
  LOWER,
  OPEN,
  SYMBOL,
  UNDERSCORE,
  UPPER,
} from './text/chars.ts'
import type { Scan } from './text/scan.ts'
import { NO_VALUE, PLACEHOLDER, SECRET_NAME } from './text/value-words.ts'
import type { Value } from './value.ts'

const MIXED = DIGIT | UPPER | LOWER
const NAME_START = LETTER | UNDERSCORE

/** Something to be filled in, or nothing: never a secret. */
export function isPlaceholder(scan: Scan, value: Value): boolean {
  if (value.hasMarker || value.length === 0) return true
  if ((value.bits & ALNUM) === 0 && value.foreign === 0) return true
  if ((value.anyWord & PLACEHOLDER) !== 0 && !value.isRandom()) return true
  if (isTemplate(scan, value) || isWrapped(scan, value) || isRepeated(scan, value)) return true
  if ((value.bits & BASE64_SIGN) !== 0 && (value.bits & CLOSING) !== 0 && value.has(scan, '://')) return true
  return (!value.isPart && isVariable(value)) || isElsewhere(scan, value)
}

/** Hints from its first characters: a template, the name of a variable, a path, a public key. */
function isTemplate(scan: Scan, value: Value): boolean {
  const first = scan.code(value.from)
  if ((bitsOf(first) & ALNUM) !== 0) return isPublicKey(scan, value.from, first)
  const second = scan.code(value.from + 1)
  const last = scan.code(value.end - 1)
  switch (first) {
    case 60: // <
      return scan.code(value.end) === 62 || value.has(scan, '>')
    case 36: // $
      return isOpenBracket(second) || isParameter(scan, value) || isName(scan, value)
    case 123: // {
      return second === 123 || value.length < 8 || (value.bits & DIGIT) === 0 || isNamed(scan, value)
    case 91: // [
      return !value.isQuoted || second === 91 || last === 93 || !value.isRandom()
    case 40: // (
      return !value.isQuoted || last === 41 || !value.isRandom()
    case 37: // %
      return isOpenBracket(second) || (last === 37 && value.length > 2)
    case 35: // #
      return second === 123
    case 64: // @
      return second === 123 || (!value.isQuoted && (isName(scan, value) || value.isCall(scan, 1)))
    case 42: // *
      return !value.isQuoted
    case 33: // !
    case 58: // :
    case 38: // &
      return !value.isQuoted && (scan.bits(value.from + 1) & NAME_START) !== 0
    case 47: // /
    case 46: // .
    case 126: // ~
      return isPath(scan, value)
    case 45: // -
      return scan.text.startsWith('-----', value.from)
    default:
      return false
  }
}

/** `ssh-…`, `ecdsa-…`. */
function isPublicKey({ text }: Scan, from: number, first: number): boolean {
  if (first === 115) return text.startsWith('ssh-', from)
  return first === 101 && text.startsWith('ecdsa-', from)
}

/** `$1`. */
function isParameter(scan: Scan, value: Value): boolean {
  return value.length === 2 && (scan.bits(value.from + 1) & DIGIT) !== 0
}

/** A sign and nothing but a name after it: `$NAME`, `$env:NAME`. */
function isName(scan: Scan, value: Value): boolean {
  if ((scan.bits(value.from + 1) & NAME_START) === 0) return false
  for (let at = value.from + 1; at < value.end; at++)
    if ((scan.bits(at) & (ALNUM | UNDERSCORE)) === 0 && !':.[]'.includes(scan.text[at] as string))
      return false
  return true
}

/** Exactly `{name}`, and encrypted values: `{cipher}…`. */
function isNamed(scan: Scan, value: Value): boolean {
  return scan.code(value.end - 1) === 125 || scan.text.startsWith('{cipher}', value.from)
}

/** `__NAME__`, `@NAME@`, `##NAME##`: the same sign around a name. */
function isWrapped(scan: Scan, value: Value): boolean {
  const first = scan.code(value.from)
  if (value.length < 4 || (bitsOf(first) & ALNUM) !== 0 || first !== scan.code(value.end - 1)) return false
  return first === 64 || first === scan.code(value.from + 1)
}

/** The name of a variable that holds it: `OPENAI_API_KEY`. */
function isVariable(value: Value): boolean {
  if ((value.bits & ~(UPPER | UNDERSCORE | DIGIT | HEX)) !== 0 || (value.bits & UNDERSCORE) === 0)
    return false
  return (value.anyWord & SECRET_NAME) !== 0 && value.digits < 3
}

/** A reference or encrypted: `vault:secret/db`, `ENC(…)`, or a validation rule: `required|min:8`. */
function isElsewhere(scan: Scan, value: Value): boolean {
  if ((value.firstWord & NO_VALUE) !== 0 && (value.bits & SYMBOL) !== 0 && value.has(scan, '|')) return true
  if ((value.bits & (CLOSING | OPEN)) === 0) return false
  ELSEWHERE.lastIndex = value.from
  return ELSEWHERE.test(scan.text)
}

/** `/a`, `./a`, `../a`, `~/a`; but not a random value that only begins so. */
function isPath(scan: Scan, value: Value): boolean {
  let at = value.from
  if (scan.code(at) === 126) at++
  while (at < value.from + 2 && scan.code(at) === 46) at++
  if (scan.code(at) !== 47) return false
  return value.length < 32 || (value.bits & MIXED) !== MIXED
}

/** `xxxx`, `sk-...`, `ghp_xxxxxxxx`: the same filler character four times. */
function isRepeated(scan: Scan, value: Value): boolean {
  if (scan.code(value.end) === 46 && scan.code(value.end + 1) === 46) return true
  if (!value.mayRepeat || value.length > 200 || value.length < 3) return false
  let run = 0
  for (let at = value.from + 1; at < value.readEnd; at++) {
    const code = scan.code(at)
    run = code === scan.code(at - 1) && isFiller(code) ? run + 1 : 0
    if (run > 0 && run >= fillersOf(code)) return true
  }
  return false
}

/** `{`, `(`, `[`. */
function isOpenBracket(code: number): boolean {
  return code === 123 || code === 40 || code === 91
}

/** `x`, `X`, `*`, `.`, `_`, `-`, `0`. */
function isFiller(code: number): boolean {
  return (
    code === 120 || code === 88 || code === 42 || code === 46 || code === 95 || code === 45 || code === 48
  )
}

/** How many repetitions make a filler. */
function fillersOf(code: number): number {
  if (code === 46) return 2
  return code === 48 ? 6 : 3
}

const ELSEWHERE =
  /(?:vault|ssm|op|env|file|secrets?|sm|kms|arn|keyring|keychain|ref\+\w{1,20}|awssm|gsm|akv|sops|bitwarden|doppler|infisical|vals):|ENC[([]/iy
