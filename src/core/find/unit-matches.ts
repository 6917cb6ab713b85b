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
  const words = likelyWords(text, units) ?? wordsOf(text, initialsOf(units))
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

const PLAIN_UNIT = /^[a-z0-9]{2,64}$/
const PLAIN_TEXT = /^[\0-\x7f]*$/
/** Where words are joined over an apostrophe. */
const JOINED = /n't|\bo'/i

/**
 * In a plain English text, only the words that begin as one of the units does: a stem has all letters of its word but the
 * last ones, and changes two of them at most. Undefined where it takes the tokenizer to tell.
 */
function likelyWords(text: string, units: readonly Unit[]): Word[] | undefined {
  const isPlain = units.every(({ kind, words }) => kind === 'word' && PLAIN_UNIT.test(words[0] ?? ''))
  if (!isPlain || units.length === 0 || !PLAIN_TEXT.test(text) || JOINED.test(text)) return undefined
  const beginnings = units.map(({ words: [word = ''] }) => word.slice(0, Math.max(1, word.length - 2)))
  const likely = new RegExp(`(?<![a-z0-9])(?:${beginnings.join('|')})[a-z0-9]*`, 'gi')
  const found: Word[] = []
  for (const { 0: chunk, index } of text.matchAll(likely)) {
    const [word] = wordsOf(chunk)
    if (word) found.push({ word: word.word, start: index, end: index + chunk.length })
  }
  return found
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
