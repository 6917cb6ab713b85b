import type { CustomPattern } from '../ingest/redact/custom.ts'
import { customPatterns, type ParseSetting } from './setting-values.ts'

/**
 * RE2 takes linear time, but each character of a text may cost as many steps as the expression has parts: 300 of them take
 * ten seconds for a megabyte that was made for it.
 */
const MAX_COST = 300

/** Patterns for secrets, as many as a folder may have. */
export function patternsOfFolder(): ParseSetting {
  const parse = customPatterns()
  return (raw) => {
    const parsed = parse(raw)
    if (!('value' in parsed)) return parsed
    const costs = (parsed.value as readonly CustomPattern[]).map(({ pattern }) => patternCost(pattern))
    const total = costs.reduce((sum, cost) => sum + cost, 0)
    return total <= MAX_COST ? parsed : { refused: `patterns with at most ${MAX_COST} parts in all` }
  }
}

/** A token of an expression: an escape, a class, a repetition, or one character. */
const TOKEN = /\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu

/** How many parts RE2 makes of an expression, or somewhat more: what is repeated counts as often. */
export function patternCost(pattern: string): number {
  // Quoted, any sign may stand for itself: not worth reading.
  if (pattern.includes('\\Q')) return Number.POSITIVE_INFINITY
  /** For each group that is open: what it holds so far, and how much of that was its last part. */
  const open = [{ total: 0, last: 0 }]
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
    const group = open.at(-1) as { total: number; last: number }
    if (token === '(') open.push({ total: 0, last: 0 })
    else if (token === ')' && open.length > 1) {
      open.pop()
      const parent = open.at(-1) as { total: number; last: number }
      parent.last = group.total + 2
      parent.total += parent.last
    } else if (least !== undefined) {
      // Each repetition that may be left out has a part that decides it.
      const times = Math.max(Number(least), Number(most || 0), 1)
      const cost = (group.last + 1) * times
      group.total += cost - group.last
      group.last = cost
    } else {
      group.last = /^[*+?]$/.test(token) ? group.last + 1 : 1
      group.total += 1
    }
  }
  return open.reduce((sum, { total }) => sum + total, 0)
}
