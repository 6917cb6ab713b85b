import type { Unit } from './query/query-model.ts'
import { matcherOf, type UnitMatch } from './unit-matches.ts'

export interface Snippet {
  /** One line. */
  text: string
  /** Start and end of the matches; in order, without overlaps. */
  matches: [number, number][]
}

const MAX_READ = 100_000
const MIN_CHARS = 16
const ELLIPSIS = '…'
/** White space other than single spaces. A byte order mark is not white space to the tokenizer. */
const WHITE_SPACE = /[^\S\ufeff ][^\S\ufeff]*| [^\S\ufeff]+/g
/** Most texts are printable ASCII on one line, and need no work. */
const MAY_NEED_WORK = /[^ -~]/

/**
 * Creates snippets: the part of a text with the most units, the earliest if there are several; the beginning if it has
 * none. `has`: the units that it may have, if known. At most `maxChars` code units long (and never less than 16); only
 * the first 100,000 characters of a text are searched.
 */
export function snippetMaker(
  units: readonly Unit[],
  maxChars = 200,
): (text: string, has?: readonly Unit[]) => Snippet {
  const matchesOf = matcherOf(withoutStopWords(units))
  const limit = Math.max(maxChars, MIN_CHARS)
  return (text, has) => {
    const beginning = text.slice(0, MAX_READ)
    const isPlain = !MAY_NEED_WORK.test(beginning)
    const line = onOneLine(beginning, isPlain)
    const matches = matchesOf(line, has, isPlain)
    const window = line.length <= limit ? { start: 0, end: line.length } : windowOf(line, matches, limit)
    return cut(line, window, matches)
  }
}

function onOneLine(text: string, isPlain: boolean): string {
  const isOneLine = isPlain && !text.includes('  ')
  return (isOneLine ? text : text.toWellFormed().replace(WHITE_SPACE, ' ')).trim()
}

/** Stop words only if there is nothing else: highlighted everywhere they hide what matters. */
function withoutStopWords(units: readonly Unit[]): Unit[] {
  const wanted = units.filter(({ isExcluded }) => !isExcluded)
  const rare = wanted.filter(({ isStopWord }) => !isStopWord)
  return rare.length > 0 ? rare : wanted
}

interface Window {
  start: number
  end: number
}

function windowOf(line: string, matches: readonly UnitMatch[], limit: number): Window {
  const width = limit - 2 * ELLIPSIS.length
  const core = richest(matches, width)
  const spare = Math.max(0, width - (core.end - core.start))
  // Less before than after: the text after a match explains more.
  const wished = Math.min(core.start - Math.floor(spare / 3), line.length - width)
  const start = wished <= ELLIPSIS.length ? 0 : startAt(line, wished, core.start)
  return { start, end: endAt(line, start, start + width, core.end) }
}

/** The window of matches with the most different units that fits; each match enters and leaves once. */
function richest(matches: readonly UnitMatch[], width: number): Window {
  const counts = new Map<number, number>()
  let best: Window & { units: number } = { start: 0, end: 0, units: 0 }
  let first = 0
  let end = 0
  for (const match of matches) {
    counts.set(match.unit, (counts.get(match.unit) ?? 0) + 1)
    for (; match.end - (matches[first]?.start ?? 0) > width && matches[first] !== match; first++) {
      const { unit = -1 } = matches[first] ?? {}
      const left = (counts.get(unit) ?? 0) - 1
      if (left > 0) counts.set(unit, left)
      else counts.delete(unit)
    }
    end = Math.max(end, match.end)
    const start = matches[first]?.start ?? 0
    if (counts.size > best.units) best = { start, end: Math.min(end, start + width), units: counts.size }
  }
  return best
}

/** After a space if there is one before the needed part, otherwise between two graphemes. */
function startAt(line: string, wished: number, needed: number): number {
  if (line[wished - 1] === ' ') return wished
  const space = line.indexOf(' ', wished)
  if (space >= 0 && space < needed) return space + 1
  const before = Math.max(0, wished - 64)
  const [boundary = needed] = boundaries(line.slice(before, needed))
    .map((at) => before + at)
    .filter((at) => at >= wished)
  return Math.min(boundary, needed)
}

function endAt(line: string, start: number, wished: number, needed: number): number {
  if (wished >= line.length) return line.length
  if (line[wished] === ' ') return wished
  const space = line.lastIndexOf(' ', wished)
  if (space >= needed && space > start) return space
  const inside = boundaries(line.slice(start, wished + 64)).map((at) => start + at)
  return inside.findLast((at) => at <= wished && at > start) ?? wished
}

let segmenter: Intl.Segmenter | undefined

function boundaries(text: string): number[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ index }) => index)
}

function cut(line: string, { start, end }: Window, matches: readonly UnitMatch[]): Snippet {
  const before = start > 0 ? ELLIPSIS : ''
  const text = line.slice(start, end).trimEnd()
  const shift = before.length - start
  const marks: [number, number][] = []
  for (const match of matches) {
    const isInside = match.start < start + text.length && match.end > start
    if (isInside)
      marks.push([Math.max(match.start, start) + shift, Math.min(match.end, start + text.length) + shift])
  }
  return { text: `${before}${text}${end < line.length ? ELLIPSIS : ''}`, matches: joined(marks) }
}

function joined(marks: [number, number][]): [number, number][] {
  const result: [number, number][] = []
  for (const [start, end] of marks) {
    const last = result.at(-1)
    if (last && start < last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}
