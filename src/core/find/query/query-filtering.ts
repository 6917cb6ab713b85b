import { type Filter, joinGroups, type Piece } from './query-filter-groups.ts'
import { FILTER_HELP, joinFilters, readFilter } from './query-filters.ts'
import type { Filters } from './query-model.ts'
import type { FilterToken, Operator, Token } from './query-tokens.ts'

/** Maximum number of paths, and of tags: an engine tests each of them for each node. */
const MAX_VALUES = 32
const MAX_SHOWN = 40

type Notes = Set<string>

/** Removes the filters from a query, since they apply to all of it, with an AND that joined one to the rest. */
export function takeFilters(
  tokens: readonly Token[],
  now: number,
  notes: Notes,
): { filters: Filters; rest: Token[] } {
  const pieces = withoutOuter(tokens).map((token) => pieceOf(token, now, notes))
  const taker = new Taker(joinGroups(pieces), notes)
  return { filters: bounded(taker.take(), notes), rest: taker.rest }
}

/** Brackets around a whole query have no effect. */
function withoutOuter(tokens: readonly Token[]): readonly Token[] {
  const layers = layersAround(tokens)
  return layers === 0 ? tokens : tokens.slice(layers, -layers)
}

/** How many pairs of brackets enclose everything: in one pass, since noise may be only brackets. */
function layersAround(tokens: readonly Token[]): number {
  const first = tokens.findIndex((token) => !isBracket(token, '('))
  const last = tokens.findLastIndex((token) => !isBracket(token, ')'))
  if (first < 1 || last < first) return 0
  let depth = 0
  let least = first
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'bracket') depth += token.source === '(' ? 1 : -1
    if (at >= first && at <= last) least = Math.min(least, depth)
  }
  return depth === 0 ? Math.max(0, Math.min(least, tokens.length - 1 - last)) : 0
}

function pieceOf(token: Token, now: number, notes: Notes): Piece {
  if (token.kind !== 'filter') return token
  const filters = readFilter(token.name, token.value, now)
  if (filters) return { ...token, filters }
  notes.add(`${shown(token.source)} was taken as words: ${FILTER_HELP[token.name]}`)
  return asWords(token)
}

function asWords({ source }: FilterToken): Piece {
  return { kind: 'chunk', source }
}

/** A filter that was joined from several becomes the words of each. */
function wordsOf({ source, parts }: Filter): Piece[] {
  return (parts ?? [source]).map((one) => ({ kind: 'chunk', source: one }))
}

class Taker {
  /** The remaining query, up to where it was read. */
  readonly rest: Piece[] = []
  /** For each open bracket: whether its content is excluded. */
  readonly #isLeftOut: boolean[] = []
  readonly #pieces: readonly Piece[]
  readonly #notes: Notes
  readonly #orDepth: number

  constructor(pieces: readonly Piece[], notes: Notes) {
    this.#pieces = pieces
    this.#notes = notes
    this.#orDepth = leastDepthOfOr(pieces)
  }

  take(): Filters {
    let filters: Filters = {}
    for (let place = 0; place < this.#pieces.length; ) {
      const run = this.#filtersAt(place)
      if (run.length === 0) this.#pass(this.#pieces[place++] as Piece)
      else {
        place = this.#leaveBrackets(this.#pieces.indexOf(run.at(-1) as Filter, place) + 1)
        const after = this.#pieces[place]
        if (this.#isOperand(place)) {
          for (const filter of run) this.#notes.add(`${shown(filter.source)} was taken as words: ${BESIDE}`)
          this.rest.push(...run.flatMap(wordsOf))
        } else {
          filters = run.reduce((all, one) => joinFilters(all, one.filters), filters)
          this.#noteScope(run)
          if (isOperator(this.rest.at(-1), 'AND') && !beginsOperand(after)) this.rest.pop()
          else if (isOperator(after, 'AND') && !endsOperand(this.rest.at(-1))) place++
        }
      }
    }
    return filters
  }

  /** Adjacent filters from a position, with or without AND between them. */
  #filtersAt(place: number): Filter[] {
    const run: Filter[] = []
    for (let at = place; this.#pieces[at]?.kind === 'filter'; at++) {
      run.push(this.#pieces[at] as Filter)
      if (isOperator(this.#pieces[at + 1], 'AND') && this.#pieces[at + 2]?.kind === 'filter') at++
    }
    return run
  }

  #pass(piece: Piece): void {
    if (isBracket(piece, '('))
      this.#isLeftOut.push(this.#isLeftOut.at(-1) === true || isOperator(this.rest.at(-1), 'NOT'))
    if (isBracket(piece, ')')) this.#isLeftOut.pop()
    this.rest.push(piece)
  }

  /** Brackets that contain only filters are removed. */
  #leaveBrackets(end: number): number {
    let place = end
    for (; isBracket(this.rest.at(-1), '(') && isBracket(this.#pieces[place], ')'); place++) {
      this.rest.pop()
      this.#isLeftOut.pop()
    }
    return place
  }

  /** Whether NOT or OR applies to these filters: then they do not apply to the whole query. */
  #isOperand(end: number): boolean {
    const before = this.rest.at(-1)
    const after = this.#pieces[end]
    if (this.#isLeftOut.at(-1) || isOperator(before, 'NOT')) return true
    const isAfterOne = endsOperand(isOperator(before, 'AND') ? this.rest.at(-2) : before)
    const isBeforeOne = beginsOperand(isOperator(after, 'AND') ? this.#pieces[end + 1] : after)
    if (isAfterOne || isBeforeOne) return false
    // At the beginning of a query, NOT may exclude from everything that passes.
    const isPart = isOperator(after, 'NOT') && isBracket(before, '(')
    return isPart || isOperator(before, 'OR') || isOperator(after, 'OR')
  }

  #noteScope(run: readonly Filter[]): void {
    if (this.#isLeftOut.length <= this.#orDepth) return
    for (const { source } of run)
      this.#notes.add(`${shown(source)} holds for the whole query, not only in its brackets`)
  }
}

const BESIDE = 'filters and words cannot be alternatives, and NOT leaves out either filters or words'

/** How many brackets are open at the outermost OR. */
function leastDepthOfOr(pieces: readonly Piece[]): number {
  let depth = 0
  let least = Number.POSITIVE_INFINITY
  for (const piece of pieces) {
    if (isBracket(piece, '(')) depth++
    if (isBracket(piece, ')')) depth = Math.max(0, depth - 1)
    if (isOperator(piece, 'OR')) least = Math.min(least, depth)
  }
  return least
}

function isOperator(piece: Piece | undefined, operator: Operator): boolean {
  return piece?.kind === 'operator' && piece.source === operator
}

function isBracket(piece: Piece | Token | undefined, bracket: '(' | ')'): boolean {
  return piece?.kind === 'bracket' && piece.source === bracket
}

function endsOperand(piece: Piece | undefined): boolean {
  return piece !== undefined && piece.kind !== 'operator' && !isBracket(piece, '(')
}

function beginsOperand(piece: Piece | undefined): boolean {
  return piece !== undefined && piece.kind !== 'operator' && !isBracket(piece, ')')
}

function bounded(filters: Filters, notes: Notes): Filters {
  const result = { ...filters }
  if (result.any) result.any = result.any.map((some) => some.map((one) => bounded(one, notes)))
  if (result.none) result.none = result.none.map((one) => bounded(one, notes))
  for (const name of ['paths', 'tags'] as const) {
    const values = result[name]
    if (values === undefined || values.length <= MAX_VALUES) continue
    notes.add(`only the first ${MAX_VALUES} ${name} were taken as filters`)
    result[name] = values.slice(0, MAX_VALUES)
  }
  return result
}

function shown(source: string): string {
  return source.length > MAX_SHOWN ? `${source.slice(0, MAX_SHOWN).toWellFormed()}…` : source
}
