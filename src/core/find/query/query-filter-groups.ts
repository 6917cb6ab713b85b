import { joinFilters } from './query-filters.ts'
import type { Filters } from './query-model.ts'
import type { FilterToken, Token } from './query-tokens.ts'

/** A token that is not a filter, or a valid filter, possibly joined from several; `parts` are these, as written. */
export type Piece = Exclude<Token, FilterToken> | (FilterToken & { filters: Filters; parts?: string[] })
export type Filter = Extract<Piece, { kind: 'filter' }>

/** Maximum number of negated or alternative filters, and their nesting: an engine evaluates each for each node. */
const MAX_NESTED = 64
const MAX_DEPTH = 16

/**
 * Brackets with only filters in them, and filters after NOT, become one filter: `(tag:a OR tag:b)`, `NOT path:archive`.
 * So does a whole query of filters and operators.
 */
export function joinGroups(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    if (piece.kind === 'filter') pushFilter(joined, piece)
    else if (piece.kind === 'bracket' && piece.source === ')') closeBracket(joined, piece)
    else joined.push(piece)
  }
  const whole = joined.length > 1 ? groupOf(joined) : undefined
  return whole ? [whole] : joined
}

/** NOT applies to the next filter or brackets. */
function pushFilter(joined: Piece[], filter: Filter): void {
  const before = joined.at(-1)
  const negated = before?.kind === 'operator' && before.source === 'NOT' ? negate(filter) : undefined
  if (negated) joined.pop()
  joined.push(negated ?? filter)
}

function closeBracket(joined: Piece[], bracket: Piece): void {
  // Only as far as there are filters: there may be many brackets around words.
  const start = joined.findLastIndex((piece) => piece.kind !== 'filter' && !isJoint(piece))
  const open = joined[start]
  const isOpen = open?.kind === 'bracket' && open.source === '('
  const group = isOpen ? groupOf(joined.slice(start + 1)) : undefined
  if (!group) joined.push(bracket)
  else {
    joined.length = start
    pushFilter(joined, group)
  }
}

function isJoint(piece: Piece | undefined): boolean {
  return piece?.kind === 'operator' && piece.source !== 'NOT'
}

/** Filters joined by AND, OR or nothing; undefined for anything else. */
function groupOf(pieces: readonly Piece[]): Filter | undefined {
  const alternatives: Filter[][] = [[]]
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'filter') alternatives.at(-1)?.push(piece)
    else if (!isJoint(piece) || pieces[at - 1]?.kind !== 'filter' || pieces[at + 1]?.kind !== 'filter')
      return undefined
    else if (piece.source === 'OR') alternatives.push([])
  }
  const [first, ...more] = alternatives.map((filters) =>
    filters.reduce((all: Filters, one) => joinFilters(all, one.filters), {}),
  )
  const [like] = alternatives[0] ?? []
  if (!first || !like) return undefined
  const source = pieces.map((piece) => piece.source).join(' ')
  const parts = alternatives.flat().flatMap((filter) => filter.parts ?? [filter.source])
  return bounded({ ...like, source, parts, filters: more.length === 0 ? first : { any: [[first, ...more]] } })
}

function negate(filter: Filter): Filter | undefined {
  const parts = filter.parts ?? [filter.source]
  return bounded({ ...filter, source: `NOT ${filter.source}`, parts, filters: { none: [filter.filters] } })
}

function bounded(filter: Filter): Filter | undefined {
  const { depth, count } = sizeOf(filter.filters)
  return depth <= MAX_DEPTH && count <= MAX_NESTED ? filter : undefined
}

function sizeOf({ any = [], none = [] }: Filters): { depth: number; count: number } {
  const inner = [...any.flat(), ...none].map(sizeOf)
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    count: inner.reduce((sum, { count }) => sum + count, inner.length),
  }
}
