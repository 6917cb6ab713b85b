import type {
  DocumentCondition,
  DocumentPage,
  DocumentQuery,
  DocumentSortKey,
} from '../../core/port/documents.ts'
import { SORTS, TIMES } from './door-query.ts'

/** Has records of one type, archived or not, in this order. */
const INDEXES = {
  accessed: 'records_by_access',
  created: 'records_by_creation',
  updated: 'records_by_update',
  completed_at: 'records_by_completion',
} as const satisfies Partial<Record<DocumentSortKey, string>>

/** A part of what a query asks for, in the order of an index; `byClass`: of those of one type, archived or not. */
export interface Piece {
  query: DocumentQuery
  index: string
  /** What the index wants to be told. */
  also: string[]
  byClass: boolean
}

/** A way through indexes. `isWhole`: it finds all there are; or else what it finds comes before everything else. */
export interface Walk {
  pieces: Piece[]
  isWhole: boolean
}

/** Ways to a page that cost what is on it, the cheapest first. None: no index has records in its order. */
export function walksOf(query: DocumentQuery, { sort }: DocumentPage): Walk[] {
  const [{ by, descending = false } = { by: 'id' as const }, ...more] = sort
  const { kind, states = ['live'], tags = [], words } = query
  const isLive = states.length === 1 && states[0] === 'live'
  if (kind !== 'record' || !isLive || tags.length > 0 || words || more.length > 0) return []
  if (by === 'accesses') return descending ? mostAccessed(query) : []
  if (by === 'completed_at') return lastCompleted(query)
  return isIndexed(by) ? byTime(query, by, descending) : []
}

function isIndexed(by: DocumentSortKey): by is keyof typeof INDEXES {
  return Object.hasOwn(INDEXES, by)
}

/** The index has those in use that were asked for; no others can be before them. */
function mostAccessed(query: DocumentQuery): Walk[] {
  const { where = [], wasAccessed = false } = query
  if (!where.some(isInUse)) return []
  const also = ['d.accesses > 0', `d.attributes ->> '$.archived' = 0`]
  const rest = { ...query, where: where.filter((one) => !isInUse(one)) }
  return [
    { pieces: [{ query: rest, index: 'records_by_accesses', also, byClass: false }], isWhole: wasAccessed },
  ]
}

/** The index has only those that were completed. */
function lastCompleted(query: DocumentQuery): Walk[] {
  const { since, until } = query
  const isTimed =
    until?.all.includes('completed_at') || (since?.any.length === 1 && since.any[0] === 'completed_at')
  const also = [`${TIMES.completed_at} IS NOT NULL`]
  const piece = { query: withoutClass(query), index: INDEXES.completed_at, also, byClass: true }
  return isTimed ? [{ pieces: [piece], isWhole: true }] : []
}

function byTime(query: DocumentQuery, by: keyof typeof INDEXES, descending: boolean): Walk[] {
  const rest = withoutClass(query)
  const { since } = rest
  if (!since || since.any.length === 1 || since.any.includes('completed_at'))
    return [{ pieces: [{ query: rest, index: INDEXES[by], also: [], byClass: true }], isWhole: true }]
  // Since then in one way or another: each way by its own index, and nothing twice.
  const pieces = since.any.map((time, at) => ({
    query: { ...rest, since: { ...since, any: [time] } },
    index: INDEXES[time],
    also: since.any.slice(0, at).map((earlier) => `${TIMES[earlier]} < @since`),
    byClass: true,
  }))
  const whole = { pieces, isWhole: true }
  return descending && since.any[0] === by ? [{ pieces: pieces.slice(0, 1), isWhole: false }, whole] : [whole]
}

export function isOfClass({ attribute }: DocumentCondition): boolean {
  return attribute === 'archived' || attribute === 'type'
}

function withoutClass(query: DocumentQuery): DocumentQuery {
  return { ...query, where: (query.where ?? []).filter((one) => !isOfClass(one)) }
}

function isInUse({ attribute, in: values }: DocumentCondition): boolean {
  return attribute === 'archived' && values.length === 1 && values[0] === false
}

/** What a page is sorted by, as SQL. */
export function placeOf({ sort }: DocumentPage): { place: string; direction: string } {
  const [{ by, descending } = { by: 'id' as const }] = sort
  return { place: SORTS[by], direction: descending ? ' DESC' : '' }
}
