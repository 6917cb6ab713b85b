/**
 * A query is any text. Well-formed phrases, operators, prefixes and filters are honoured; everything else is words,
 * with a note where a person would wonder.
 */
import { MAX_WORD } from './fold.ts'
import { readExpression, readWithout, type Term, wantedUnits } from './query-expression.ts'
import { takeFilters } from './query-filtering.ts'
import { isEmpty, isFilterName } from './query-filters.ts'
import type { Expression, Filters, Query, Unit } from './query-model.ts'
import { type Token, tokensOf } from './query-tokens.ts'
import { chunkUnits, isShortPrefix, MIN_PREFIX, phraseUnits, prefixUnits } from './query-units.ts'

const MAX_UNITS = 64
/** Maximum number of words of all units: an engine reads the positions of each. */
const MAX_WORDS = 192
/** Maximum number of prefixes: an engine collects all words that begin with each. */
const MAX_PREFIXES = 8
/** Maximum number of words of one phrase. */
const MAX_PHRASE = 32
const MAX_LENGTH = 10_000
const MAX_NOTES = 8

/** Never throws. `now` in milliseconds since 1970, for `since:7d`. */
export function parseQuery(text: string, { now }: { now: number }): Query {
  const notes = new Set<string>()
  if (text.length > MAX_LENGTH) notes.add(`only the first ${MAX_LENGTH} characters were read`)
  const tokens = tokensOf(readable(text))
  const { filters: passing, rest } = takeFilters(tokens, now, notes)
  const without = isEmpty(passing) ? undefined : takeWithout(rest, notes)
  const filters = without ? { ...passing, without } : passing
  const { units, expression } = without ? NOTHING : takeUnits(rest, notes)
  if (units.length === 0 && isEmpty(filters)) {
    notes.add(text.trim() === '' ? 'the query is empty' : 'the query has no word to look for')
  }
  return { text, units, expression, filters, notes: [...notes].slice(0, MAX_NOTES) }
}

type Notes = Set<string>

/** Cuts at a space, since part of a word would be another word; a longer run without a space is cut anywhere. */
function readable(text: string): string {
  if (text.length <= MAX_LENGTH) return text.toWellFormed()
  let end = MAX_LENGTH
  while (end > MAX_LENGTH - MAX_WORD && !/\s/.test(text.charAt(end))) end--
  return text.slice(0, end > MAX_LENGTH - MAX_WORD ? end : MAX_LENGTH).toWellFormed()
}

interface Taken {
  units: Unit[]
  expression: Expression | null
}

const NOTHING: Taken = { units: [], expression: null }

/** A query of filters and NOT: everything that passes, without these. Undefined for any other query. */
function takeWithout(tokens: readonly Token[], notes: Notes): Filters['without'] {
  if (tokens[0]?.source !== 'NOT') return undefined
  const { units, terms } = termsOf(tokens, notes)
  const expression = readWithout(terms)
  return expression === undefined
    ? undefined
    : { units: units.map((unit) => ({ ...unit, isExcluded: true })), expression }
}

function takeUnits(tokens: readonly Token[], notes: Notes): Taken {
  const { units, terms } = termsOf(tokens, notes)
  if (!tokens.some(({ kind }) => kind === 'operator')) return { units, expression: null }
  const expression = readExpression(terms)
  if (expression === undefined) {
    notes.add(
      'AND, OR and NOT were taken as words: each stands between two things to look for, and brackets in pairs',
    )
    return { units: termsOf(tokens.map(asWord), notes).units, expression: null }
  }
  const wanted = new Set(wantedUnits(expression))
  return { units: units.map((unit, place) => ({ ...unit, isExcluded: !wanted.has(place) })), expression }
}

function asWord(token: Token): Token {
  return token.kind === 'operator' ? { kind: 'chunk', source: token.source } : token
}

/** Each unit once, and the query as indexes of units. */
function termsOf(tokens: readonly Token[], notes: Notes): { units: Unit[]; terms: Term[] } {
  const units = new Units()
  const terms: Term[] = []
  for (const token of tokens) {
    if (token.kind === 'operator' || token.kind === 'bracket') terms.push(token.source)
    else {
      const places = units.placesOf(token, notes)
      if (places.length > 0) terms.push(places)
    }
    if (units.isOverfull) break
  }
  if (units.isOverfull)
    notes.add(`only the first ${units.list.length} different words and phrases were looked for`)
  return { units: units.list, terms }
}

class Units {
  readonly list: Unit[] = []
  isOverfull = false
  /** By source text: noise is repetitive. */
  readonly #written = new Map<string, number[]>()
  readonly #places = new Map<string, number>()
  #words = 0
  #prefixes = 0

  placesOf(token: Token, notes: Notes): number[] {
    const known = this.#written.get(token.source)
    if (known) return known
    const units = unitsOf(token, notes, this.#prefixes < MAX_PREFIXES)
    const places = units.flatMap((unit) => this.#placeOf(unit) ?? [])
    this.#written.set(token.source, places)
    return places
  }

  #placeOf(unit: Unit): number | undefined {
    const key = `${unit.kind} ${unit.words.join(' ')}`
    const known = this.#places.get(key)
    if (known !== undefined) return known
    this.isOverfull = this.list.length >= MAX_UNITS || this.#words + unit.words.length > MAX_WORDS
    if (this.isOverfull) return undefined
    this.#words += unit.words.length
    if (unit.kind === 'prefix') this.#prefixes++
    this.#places.set(key, this.list.length)
    return this.list.push(unit) - 1
  }
}

function unitsOf(token: Token, notes: Notes, mayBePrefix: boolean): Unit[] {
  const units = wholeUnitsOf(token, notes, mayBePrefix)
  if (units.every(({ words }) => words.length <= MAX_PHRASE)) return units
  notes.add(`of a phrase only the first ${MAX_PHRASE} words were looked for`)
  return units.map(beginningOf)
}

function wholeUnitsOf(token: Token, notes: Notes, mayBePrefix: boolean): Unit[] {
  if (token.kind === 'phrase') return phraseUnits(token.text)
  if (token.kind === 'quote') notes.add('a quotation mark without a second one was passed over')
  if (token.kind !== 'chunk') return []
  noteBareFilter(token.source, notes)
  const prefix = token.source.endsWith('*') ? prefixUnits(token.source) : undefined
  if (isShortPrefix(token.source))
    notes.add(`${token.source} was taken as a word: a beginning has at least ${MIN_PREFIX} letters`)
  if (!prefix || mayBePrefix) return prefix ?? chunkUnits(token.source)
  notes.add(`only the first ${MAX_PREFIXES} beginnings were looked for; what follows them was taken as words`)
  return chunkUnits(token.source)
}

/** A shorter phrase finds everything that the whole one does; a prefix that is cut off is dropped. */
function beginningOf(unit: Unit): Unit {
  if (unit.words.length <= MAX_PHRASE) return unit
  return { ...unit, kind: 'phrase', words: unit.words.slice(0, MAX_PHRASE) }
}

function noteBareFilter(chunk: string, notes: Notes): void {
  const name = chunk.slice(0, -1).toLowerCase()
  if (chunk.endsWith(':') && isFilterName(name)) {
    notes.add(`${chunk} was taken as a word: what a filter asks for follows it without a space`)
  }
}
