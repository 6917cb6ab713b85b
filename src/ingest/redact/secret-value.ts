import { IF_NO_WORD, IF_RANDOM, NOT_SECRET } from './key-name.ts'
import { isPlaceholder } from './placeholder.ts'
import { DASH, DIGIT, DOT, HEX, LOWER, SYMBOL, UNDERSCORE, UPPER } from './text/chars.ts'
import type { Scan } from './text/scan.ts'
import { NO_VALUE, REFERENCE } from './text/value-words.ts'
import type { Value } from './value.ts'

export const MIN_LENGTH = 3
const MIN_DIGITS = 4
export const MIN_UNUSUAL = 6

/** Whether a value is secret under a key of this level. Cheap checks come first. */
export function isSecretValue(scan: Scan, value: Value, level: number): boolean {
  if (level === NOT_SECRET || value.length < MIN_LENGTH || value.hasMarker || value.isKnownWord())
    return false
  return looksSecret(scan, value, level) && !isPlaceholder(scan, value) && !value.isCode(scan)
}

function looksSecret(scan: Scan, value: Value, level: number): boolean {
  if (level === IF_RANDOM) return value.isRandom()
  if (level === IF_NO_WORD) return isUnusual(value)
  if (value.blanks > 0) return value.words > 1 && !value.isProse(scan)
  return value.letters > 0 || (value.foreign === 0 && value.length >= MIN_DIGITS)
}

/** For a name in capitals that ends in `KEY`, `TOKEN`, `SECRET` or `PASSWORD`: anything not plainly harmless. */
export function isEnvSecret(scan: Scan, value: Value): boolean {
  if (isPlaceholder(scan, value) || value.isCall(scan)) return false
  if ((value.bits & DOT) !== 0 && (value.firstWord & REFERENCE) !== 0) return false
  if (!value.isKnownWord() || value.isRandom() || value.isPart || value.blanks > 0) return true
  return value.words === 1 && (value.anyWord & NO_VALUE) === 0
}

/** A single word that is not in a dictionary. */
export function isUnusual(value: Value): boolean {
  if (value.blanks > 0 || value.length < MIN_UNUSUAL || value.letters === 0) return false
  if (value.isRandom() || (value.bits & (DIGIT | SYMBOL)) !== 0) return true
  const isJoined = (value.bits & (DASH | DOT | UNDERSCORE)) !== 0
  return isJoined && (value.bits & UPPER) !== 0 && (value.bits & LOWER) !== 0 && value.words > 1
}

/** A word that a sentence would not have after its colon. */
export function isStrange(scan: Scan, value: Value): boolean {
  return isSecretValue(scan, value, IF_NO_WORD) && (value.length >= 8 || value.words > 1)
}

const MAX_PIN = 8

/** A number of four to eight digits. */
export function isPinValue(value: Value): boolean {
  return value.bits === (DIGIT | HEX) && value.length >= MIN_DIGITS && value.length <= MAX_PIN
}
