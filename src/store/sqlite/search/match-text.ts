import type { Expression, Unit } from '../../../core/find/query/query-model.ts'
import type { Match } from '../../../core/port/search.ts'

/** A match in FTS5's language. Words are quoted: nothing in them is an operator. */
export function matchText({ units, expression, inLabel = false }: Match): string {
  const text = expressionText(expression, units)
  return inLabel ? `label : (${text})` : text
}

function expressionText(expression: Expression, units: readonly Unit[]): string {
  if (typeof expression === 'number') return unitText(units[expression])
  if ('and' in expression) return joined(expression.and, ' AND ', units)
  if ('or' in expression) return joined(expression.or, ' OR ', units)
  return `(${expressionText(expression.of, units)} NOT ${expressionText(expression.without, units)})`
}

function joined(parts: readonly Expression[], operator: string, units: readonly Unit[]): string {
  return `(${parts.map((part) => expressionText(part, units)).join(operator)})`
}

function unitText(unit: Unit | undefined): string {
  if (!unit) throw new Error('an expression names a unit that the query has not')
  return `${quoted(unit.words.join(' '))}${unit.kind === 'prefix' ? '*' : ''}`
}

export function quoted(words: string): string {
  return `"${words.replaceAll('"', '""')}"`
}
