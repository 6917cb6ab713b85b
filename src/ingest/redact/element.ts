import { NOT_SECRET } from './key-name.ts'
import type { Pair } from './pair.ts'
import { isSecretValue } from './secret-value.ts'
import { NAME, QUOTE } from './text/chars.ts'
import { KEYED_KIND } from './text/kinds.ts'
import type { Scan } from './text/scan.ts'

const LESS = 60
const GREATER = 62
const COLON = 58
const LINE_FEED = 10
const MAX_TAG = 160
/** How far the element with the value may be from the one with its name. */
const MAX_DISTANCE = 40
const CDATA = '<![CDATA['
const NOWHERE = -1

/** The text of an element whose tag ends at `at`: `<password>…</password>`, or one that an attribute names. Where to continue. */
export function readElement(pair: Pair, at: number): number {
  const { key, scan, value } = pair
  const next = at + 1
  const nameEnd = tagNameEnd(scan, at)
  if (nameEnd < 0) return next
  let level = key.read(scan, nameEnd)
  if (!isTagStart(scan, key.start(scan))) return next
  const isNamed = key.isName && level === NOT_SECRET && nameEnd === at
  if (level === NOT_SECRET) level = pair.pendingLevel(at, nameEnd === at ? MAX_DISTANCE : MAX_TAG)
  if (level === NOT_SECRET && !isNamed) return next
  const from = scan.text.startsWith(CDATA, next) ? next + CDATA.length : next
  const end = textEnd(scan, from)
  if (end <= from) return next
  if (isNamed) pair.notePending(from, end)
  pair.take(from, end, true)
  return pair.hitIf(!isNamed && isSecretValue(scan, value, level), KEYED_KIND, next)
}

/** For `<name>` and `<name attribute="…">`; -1 if it is not an opening tag. */
function tagNameEnd(scan: Scan, at: number): number {
  const bits = scan.bits(at - 1)
  if ((bits & NAME) !== 0) return at
  if ((bits & QUOTE) === 0) return NOWHERE
  for (let start = at - 2; start >= scan.floor && start > at - MAX_TAG; start--) {
    const code = scan.code(start)
    if (code === GREATER || code === LINE_FEED) return NOWHERE
    if (code !== LESS) continue
    let end = start + 1
    while ((scan.bits(end) & NAME) !== 0 || scan.code(end) === COLON) end++
    return end
  }
  return NOWHERE
}

/** The `<` before the name, or before its namespace prefix. */
function isTagStart(scan: Scan, start: number): boolean {
  if (scan.code(start - 1) === LESS) return true
  if (scan.code(start - 1) !== COLON) return false
  let at = start - 1
  while (at > start - 20 && (scan.bits(at - 1) & NAME) !== 0) at--
  return scan.code(at - 1) === LESS
}

function textEnd(scan: Scan, from: number): number {
  for (let at = from; at < scan.length; at++) {
    const code = scan.code(at)
    if (code === LESS || (code === 93 && scan.text.startsWith(']]>', at))) return at
    if (code === LINE_FEED) break
  }
  return NOWHERE
}
