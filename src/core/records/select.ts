import { needs } from '../errors.ts'
import { parseQuery } from '../find/query/query.ts'
import { withoutFilterNames } from '../find/query/query-filters.ts'
import type { DocumentCondition, DocumentQuery, QueryAttribute } from '../port/documents.ts'
import type { Match } from '../port/search.ts'
import type { Redact } from '../redact.ts'
import { checkChoice, isLonger } from './check.ts'
import { MAX_SEARCH } from './limits.ts'
import {
  IMPORTANCES,
  type Importance,
  RECORD_TYPES,
  type RecordType,
  STATUSES,
  type Status,
} from './model.ts'

/** Selects records; all conditions must hold. */
export interface RecordFilter {
  type?: RecordType
  /** All of these tags. */
  tags?: readonly string[]
  /** Words that the content must contain, as in a search; phrases in quotes, operators. */
  search?: string
  importance?: Importance
  category?: string
  /** Only tasks. */
  status?: Status
  /** true: includes archived records. `only`: only those. Default: none of them. */
  archived?: boolean | 'only'
}

/** Redacts the search: stored text has no secrets, so a query with one would find nothing. */
export function selectRecords(redact: Redact, filter: RecordFilter): DocumentQuery {
  const { type, tags = [], search, importance, category, status, archived = false } = filter
  needs(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string'), 'tags must be a list of strings')
  needs(search === undefined || typeof search === 'string', 'search must be a string')
  needs(
    search === undefined || !isLonger(search, MAX_SEARCH),
    `search must have at most ${MAX_SEARCH} characters`,
  )
  needs(category === undefined || typeof category === 'string', 'category must be a string')
  needs([true, false, 'only'].includes(archived), 'archived must be true, false or "only"')
  const where: DocumentCondition[] = []
  const is = (attribute: QueryAttribute, value: string | boolean | undefined): void => {
    if (value !== undefined) where.push({ attribute, in: [value] })
  }
  is('type', type && checkChoice('type', RECORD_TYPES, type))
  if (archived !== true) is('archived', archived === 'only')
  is('importance', importance && checkChoice('importance', IMPORTANCES, importance))
  is('category', category === undefined ? undefined : redact(category))
  is('status', status && checkChoice('status', STATUSES, status))
  return {
    kind: 'record',
    where,
    ...(tags.length > 0 && { tags: [...new Set(tags.map((tag) => redact(tag)))] }),
    ...(search !== undefined && search.trim() !== '' && { words: everyWord(redact(search)) }),
  }
}

/**
 * A text as a filter: all of its words, or its operators. Stop words count only if there is nothing else. A text
 * without words matches nothing.
 */
function everyWord(text: string): Match {
  const { units, expression } = parseQuery(withoutFilterNames(text), { now: 0 })
  if (expression !== null) return { units, expression }
  const telling = units.filter(({ isStopWord }) => !isStopWord)
  const wanted = telling.length > 0 ? telling : units
  const all = wanted.map((_, at) => at)
  return { units: wanted, expression: all.length > 0 ? { and: all } : { or: [] } }
}
