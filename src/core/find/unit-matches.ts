import { isInRun, kindAt } from './query/character-kinds.ts'
import type { Unit } from './query/query-model.ts'
import { CLITICS, type Word, wordOf, wordsOf } from './query/words.ts'

/** A match of a unit in a text. */
export interface UnitMatch {
  /** Its index in the given units. */
  unit: number
  start: number
  end: number
}

/**
 * Finds every match of the units, in the order of the text; `has`: the units that may be in it; `isAscii`: the text is
 * known to be. Created once for all texts of an answer.
 */
export function matcherOf(
  units: readonly Unit[],
): (text: string, has?: readonly Unit[], isAscii?: boolean) => UnitMatch[] {
  const { byFirst, prefixes } = prepare(units)
  const likelyWords = likelyWordsOf(units)
  let initials: Set<number> | undefined
  const allWords = (text: string): Word[] => {
    initials ??= initialsOf(units)
    return wordsOf(text, initials)
  }
  return (text, has = units, isAscii = false) => {
    if (has.length === 0) return []
    const words = likelyWords?.(text, has, isAscii) ?? allWords(text)
    const matches: UnitMatch[] = []
    for (let at = 0; at < words.length; at++) {
      const candidates = byFirst.get(words[at]?.word ?? '')
      const places =
        candidates && prefixes.length > 0 ? [...candidates, ...prefixes] : (candidates ?? prefixes)
      for (const unit of places) {
        const last = lastWord(words, at, units[unit] as Unit)
        if (last) matches.push({ unit, start: words[at]?.start ?? 0, end: last.end })
      }
    }
    return matches
  }
}

const PLAIN_UNIT = /^[a-z0-9]{2,64}$/
const ASCII = /^[\0-\x7f]*$/
/** Words joined over an apostrophe. */
const JOINED = /n't|(?<![a-z0-9])o'/i

/**
 * In a plain English text, only words that begin like one of the units: a stem has all letters of its word except the
 * last ones, and changes at most two of them. Undefined if the tokenizer is needed.
 */
function likelyWordsOf(
  units: readonly Unit[],
): ((text: string, has: readonly Unit[], isAscii: boolean) => Word[] | undefined) | undefined {
  const isPlain = ({ kind, words: [word = ''] }: Unit): boolean =>
    kind === 'word' && PLAIN_UNIT.test(word) && !CLITICS.has(word)
  if (!units.every(isPlain) || units.length === 0) return undefined
  const beginningOf = ({ words: [word = ''] }: Unit): string => word.slice(0, Math.max(1, word.length - 2))
  return (text, has, isAscii) => {
    if (!(isAscii || ASCII.test(text)) || (text.includes("'") && JOINED.test(text))) return undefined
    const folded = text.toLowerCase()
    return startsOf(folded, has.map(beginningOf)).map((start) => {
      const end = endOfRun(folded, start)
      return { word: wordOf(folded.slice(start, end)), start, end }
    })
  }
}

/**
 * Positions of runs of letters and digits with these beginnings, in order. By hand: each query would need its own
 * regular expression.
 */
function startsOf(folded: string, beginnings: readonly string[]): number[] {
  const starts: number[] = []
  for (const beginning of beginnings) {
    for (let at = folded.indexOf(beginning); at >= 0; at = folded.indexOf(beginning, at + 1))
      if (at === 0 || !isInRun(kindAt(folded, at - 1))) starts.push(at)
  }
  // One beginning may be a prefix of another: then both find the same run.
  return starts.length > 1 ? [...new Set(starts)].sort((a, b) => a - b) : starts
}

function endOfRun(folded: string, start: number): number {
  let end = start
  while (end < folded.length && isInRun(kindAt(folded, end))) end++
  return end
}

function initialsOf(units: readonly Unit[]): Set<number> {
  return new Set(units.flatMap(({ words }) => words.map((word) => word.charCodeAt(0))))
}

/** Most words begin no unit, and one lookup shows it. A prefix of one word may begin with anything. */
function prepare(units: readonly Unit[]): { byFirst: Map<string, number[]>; prefixes: number[] } {
  const byFirst = new Map<string, number[]>()
  const prefixes: number[] = []
  for (const [place, { kind, words }] of units.entries()) {
    const first = words[0]
    if (first === undefined) continue
    if (kind === 'prefix' && words.length === 1) prefixes.push(place)
    else byFirst.set(first, [...(byFirst.get(first) ?? []), place])
  }
  return { byFirst, prefixes }
}

/** The word that ends the unit if it begins at `at`; undefined if it does not match. */
function lastWord(words: readonly Word[], at: number, { kind, words: wanted }: Unit): Word | undefined {
  const last = wanted.length - 1
  for (let place = 0; place <= last; place++) {
    const word = wanted[place] as string
    const found = words[at + place]?.word
    const isThere = kind === 'prefix' && place === last ? found?.startsWith(word) : found === word
    if (!isThere) return undefined
  }
  return words[at + last]
}
