import { IF_NO_WORD, IF_RANDOM } from './key-name.ts'
import type { Pair } from './pair.ts'
import { isPlaceholder } from './placeholder.ts'
import { NO_QUOTE } from './quotes.ts'
import { isSecretValue } from './secret-value.ts'
import { BLANK, NAME } from './text/chars.ts'
import { BASIC_KIND, BEARER_KIND, KEYED_KIND } from './text/kinds.ts'
import type { Scan } from './text/scan.ts'

const MIN_BEARER = 20
const MARK_START = 0xab
const MAX_SCHEME = 40
const OTHER_SCHEMES = /^(?:token|apikey|api-key|key|digest|negotiate|ntlm|hmac|aws4|geniekey|ssws|sharedkey)/

/** `Authorization` with its value at `from`: a scheme precedes the secret. Where to continue. */
export function readAuthorization(pair: Pair, from: number, next: number): number {
  const { quotes, scan } = pair
  const at = quotes.read(from) === NO_QUOTE ? from : from + quotes.width
  let end = at
  while (end < at + MAX_SCHEME && (scan.bits(end) & NAME) !== 0) end++
  let start = end
  while (start - end < 4 && (scan.bits(start) & BLANK) !== 0) start++
  if (start === end || end === at) return take(pair, at, next, KEYED_KIND, IF_RANDOM)
  const scheme = scan.text.slice(at, end).toLowerCase()
  if (scheme === 'bearer') return readBearer(pair, start, next)
  if (scheme === 'basic') return take(pair, start, next, BASIC_KIND, IF_NO_WORD)
  return OTHER_SCHEMES.test(scheme) ? take(pair, start, next, KEYED_KIND, IF_RANDOM) : next
}

/** The credentials after `Bearer`, at `start`. */
function readBearer(pair: Pair, start: number, next: number): number {
  const { scan, value } = pair
  const end = bearerEnd(scan, start)
  if (end - start < MIN_BEARER) return take(pair, start, next, BEARER_KIND, IF_RANDOM)
  pair.take(start, end, true)
  // Before a marker it was part of a removed secret, and is not secret itself.
  const isPart = scan.code(end) === MARK_START
  return pair.hitIf(!isPart && !isPlaceholder(scan, value), BEARER_KIND, next)
}

export function bearerEnd({ codes }: Scan, start: number): number {
  let end = start
  while (isBearer(codes[end] as number)) end++
  return end
}

function isBearer(code: number): boolean {
  return code < 128 && ((BEARER[code] as number) & 1) !== 0
}

const BEARER = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~+/=-')
  BEARER[character.charCodeAt(0)] = 1

function take(pair: Pair, start: number, next: number, kind: string, level: number): number {
  if (!pair.readWord(start)) return next
  return pair.hitIf(isSecretValue(pair.scan, pair.value, level), kind, next)
}
