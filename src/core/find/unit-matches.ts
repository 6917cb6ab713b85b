import { isInRun, kindAt } from './query/character-kinds.ts'
import type { Unit } from './query/query-model.ts'
import { CLITICS, type Word, wordOf, wordsOf } from './query/words.ts'

/** Where a unit is in a text. */
export interface UnitMatch {
  /** Its place in the units that were given. */
  unit: number
  start: number
  end: number
}

/**
 * Finds every place where one of the units is, in the order of the text; `has`: those that may be in it; `isAscii`: it is
 * known to be. Made once for all texts of an answer.
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
/** Where words are joined over an apostrophe. */
const JOINED = /n't|(?<![a-z0-9])o'/i

/**
 * In a plain English text, only the words that begin as one of the units does: a stem has all letters of its word but the
 * last ones, and changes two of them at most. Undefined where it takes the tokenizer to tell.
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

/** Where runs of letters and digits begin so, in order. By hand: each query would need a regular expression of its own. */
function startsOf(folded: string, beginnings: readonly string[]): number[] {
  const starts: number[] = []
  for (const beginning of beginnings) {
    for (let at = folded.indexOf(beginning); at >= 0; at = folded.indexOf(beginning, at + 1))
      if (at === 0 || !isInRun(kindAt(folded, at - 1))) starts.push(at)
  }
  // One beginning may begin another: then both find the same run.
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

/** Most words begin no unit, and one look tells so. A prefix that is one word may begin with anything. */
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

/** The word that ends the unit when it begins at `at`, undefined when it is not there. */
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
