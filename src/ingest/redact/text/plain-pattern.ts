/** A pattern that can be matched in one direction, without ever going back: see `parsePlain`. */
export interface PlainPattern {
  /** The same as an expression of JavaScript. */
  expression: RegExp
  /** The length of a match. */
  minLength: number
  /** How many steps a character of a text can cost, at most. */
  cost: number
}

interface Item {
  /** By code: the ASCII characters that it matches. */
  chars: Uint8Array
  least: number
  most: number
}

const IGNORE_CASE = '(?i)'
const PUNCTUATION = '[!-/:-@[-`{-~]'
const IN_CLASS = `\\\\[dw]|\\\\${PUNCTUATION}|[ -Z^-~]`
/** A character or class, and its repetitions. */
const ITEM = new RegExp(
  `(?:(\\\\[dw])|\\\\(${PUNCTUATION})|\\[((?!\\^)(?:${IN_CLASS})+)\\]|([ !"#%&',\\-/0-9:;<=>@A-Z_\`a-z~]))(\\?|\\+|\\*|\\{(\\d+)(?:(,)(\\d+)?)?\\})?`,
  'y',
)

/**
 * Reads a pattern that is a row of characters and classes of ASCII, each as often as `?`, `{6}` or `{6,10}` says, the last one also
 * as `+`, `*` or `{6,}` says, after `(?i)` or not. Where an item may be longer or shorter, nothing that can follow begins like it: so there is one way only to match a text.
 * Undefined: the pattern is none of these. It matches the same as RE2 does, and costs a twentieth.
 */
export function parsePlain(pattern: string): PlainPattern | undefined {
  const ignoresCase = pattern.startsWith(IGNORE_CASE)
  const items = readItems(pattern, ignoresCase ? IGNORE_CASE.length : 0)
  if (items === undefined || items.length === 0) return undefined
  const compared = ignoresCase ? items.map(withBothCases) : items
  if (!compared.every((_, at) => isUnambiguous(compared, at))) return undefined
  if (items.slice(0, -1).some(({ most }) => most === Infinity)) return undefined
  const source = items.map(({ chars, ...times }) => classOf(chars) + timesSource(times)).join('')
  return {
    expression: new RegExp(source, ignoresCase ? 'giu' : 'g'),
    minLength: items.reduce((sum, { least }) => sum + least, 0),
    cost: stepsFor(compared),
  }
}

function timesSource({ least, most }: Pick<Item, 'least' | 'most'>): string {
  return `{${least},${most === Infinity ? '' : most}}`
}

/** For an expression that is tried at every place: the maximum number of places that can take each of its steps. */
function stepsFor(items: readonly Item[]): number {
  const other = items.findIndex(({ least, most }) => least !== 1 || most !== 1)
  const fixed = other < 0 ? items : items.slice(0, other)
  // An unbounded repetition belongs to a match, and is not read again.
  const longest = items.reduce((sum, { least, most }) => sum + (most === Infinity ? least + 1 : most), 0)
  const ofFixed = fixed.reduce((sum, _, at) => sum + 1 / placesApart(fixed.slice(0, at + 1)), 0)
  return Math.ceil(ofFixed + (longest - fixed.length) / placesApart(fixed))
}

/** The minimum distance between two starts of this text: `aab` cannot begin again before it has ended, `aba` can. */
function placesApart(fixed: readonly Item[]): number {
  const mayOverlap = (by: number): boolean =>
    fixed.slice(by).every((item, at) => haveCommon(item, fixed[at] as Item))
  let apart = 1
  while (apart < fixed.length && !mayOverlap(apart)) apart++
  return apart
}

function haveCommon(one: Item, other: Item): boolean {
  return one.chars.some((is, code) => is === 1 && other.chars[code] === 1)
}

function readItems(pattern: string, from: number): Item[] | undefined {
  const items: Item[] = []
  ITEM.lastIndex = from
  while (ITEM.lastIndex < pattern.length) {
    const found = ITEM.exec(pattern)
    if (!found) return undefined
    const [, kind, punctuation, inClass, literal, ...times] = found
    const chars = inClass === undefined ? charsOf(kind ?? punctuation ?? literal ?? '') : classChars(inClass)
    if (chars === undefined) return undefined
    items.push({ chars, ...timesOf(times) })
  }
  return items
}

function timesOf([times, least, comma, most]: (string | undefined)[]): Pick<Item, 'least' | 'most'> {
  if (times === undefined) return { least: 1, most: 1 }
  if (times === '?') return { least: 0, most: 1 }
  if (times === '+' || times === '*') return { least: times === '+' ? 1 : 0, most: Infinity }
  return { least: Number(least), most: most ? Number(most) : comma ? Infinity : Number(least) }
}

function charsOf(text: string): Uint8Array {
  const chars = new Uint8Array(128)
  if (text === '\\d') return chars.fill(1, 0x30, 0x3a)
  if (text === '\\w')
    return chars.fill(1, 0x30, 0x3a).fill(1, 0x41, 0x5b).fill(1, 0x61, 0x7b).fill(1, 0x5f, 0x60)
  return chars.fill(1, text.charCodeAt(0), text.charCodeAt(0) + 1)
}

/** Undefined: a range in it has no end, or ends before it begins. */
function classChars(text: string): Uint8Array | undefined {
  const parts = text.match(/\\.|./gs) ?? []
  const chars = new Uint8Array(128)
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as string
    const isRange = parts[at + 1] === '-' && at + 2 < parts.length
    if (!isRange) union(chars, charsOf(bare(part)))
    else {
      const [first, last] = [bare(part), bare(parts[at + 2] as string)]
      if (first.length > 1 || last.length > 1 || first > last) return undefined
      chars.fill(1, first.charCodeAt(0), last.charCodeAt(0) + 1)
      at += 2
    }
  }
  return chars
}

/** An escaped mark is literal. */
function bare(part: string): string {
  return /^\\[^dw]/.test(part) ? part.slice(1) : part
}

function union(chars: Uint8Array, others: Uint8Array): void {
  for (let code = 0; code < chars.length; code++) if (others[code] === 1) chars[code] = 1
}

function withBothCases(item: Item): Item {
  const chars = new Uint8Array(128)
  for (let code = 0; code < chars.length; code++) {
    if (item.chars[code] !== 1) continue
    const char = String.fromCharCode(code)
    for (const one of [char.toLowerCase(), char.toUpperCase()]) chars[one.charCodeAt(0)] = 1
  }
  return { ...item, chars }
}

/** Whether it is certain where an item ends. */
function isUnambiguous(items: readonly Item[], at: number): boolean {
  const item = items[at] as Item
  if (item.least === item.most) return true
  for (const next of items.slice(at + 1)) {
    if (haveCommon(item, next)) return false
    if (next.least > 0) return true
  }
  return true
}

function classOf(chars: Uint8Array): string {
  const codes = [...chars.keys()].filter((code) => chars[code] === 1)
  return `[${codes.map((code) => `\\x${code.toString(16).padStart(2, '0')}`).join('')}]`
}
