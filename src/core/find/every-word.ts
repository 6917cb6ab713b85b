import type { Match } from '../port/search.ts'
import { parseQuery } from './query/query.ts'
import { withoutFilterNames } from './query/query-filters.ts'

/**
 * A text as a filter: all of its words, or what its operators say. Stop words count only where there is nothing else. A text
 * without any word matches nothing.
 */
export function everyWord(text: string): Match {
  const { units, expression } = parseQuery(withoutFilterNames(text), { now: 0 })
  if (expression !== null) return { units, expression }
  const telling = units.filter(({ isStopWord }) => !isStopWord)
  const wanted = telling.length > 0 ? telling : units
  const all = wanted.map((_, at) => at)
  return { units: wanted, expression: all.length > 0 ? { and: all } : { or: [] } }
}
