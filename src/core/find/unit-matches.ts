import type { Unit } from './query-model.ts'
import { type Word, wordsOf } from './words.ts'

/** Where a unit is in a text. */
export interface UnitMatch {
  /** Its place in the units that were given. */
  unit: number
  start: number
  end: number
}

/** Every place where one of the units is, in the order of the text. */
export function matchesOf(text: string, units: readonly Unit[]): UnitMatch[] {
  const words = wordsOf(text, initialsOf(units))
  const { byFirst, prefixes } = prepare(units)
  const matches: UnitMatch[] = []
  for (let at = 0; at < words.length; at++) {
    const candidates = byFirst.get(words[at]?.word ?? '')
    for (const unit of candidates ? [...candidates, ...prefixes] : prefixes) {
      const last = lastWord(words, at, units[unit] as Unit)
      if (last) matches.push({ unit, start: words[at]?.start ?? 0, end: last.end })
    }
  }
  return matches
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
  for (const [place, word] of wanted.entries()) {
    const found = words[at + place]?.word
    const isThere = kind === 'prefix' && place === last ? found?.startsWith(word) : found === word
    if (!isThere) return undefined
  }
  return words[at + last]
}
