import type { CustomPattern } from '../../ingest/redact/custom.ts'
import { parsePlain } from '../../ingest/redact/text/plain-pattern.ts'
import { customPatterns, type ParseSetting } from './setting-values.ts'

/** The maximum cost of all patterns together, in steps for each character. */
const MAX_COST = 50
/** The minimum length of a match. */
const MIN_LENGTH = 6
/** The cost of each match: a text may consist of matches only. */
const COST_OF_MATCH = 60

/**
 * Bounds the patterns for secrets of a folder to kinds with a known cost. RE2 takes 25 ns for each part and character, and returns
 * to the end of each match: a pattern of eight parts can take time quadratic in the length of a text.
 */
export function patternsOfFolder(): ParseSetting<readonly CustomPattern[]> {
  const parse = customPatterns()
  return (raw) => {
    const parsed = parse(raw)
    if (!('value' in parsed)) return parsed
    const costs = parsed.value.map(({ pattern }) => costOf(pattern))
    const total = costs.reduce((sum, cost) => sum + cost, 0)
    return total <= MAX_COST ? parsed : { refused: `plain patterns that cost at most ${MAX_COST} in all` }
  }
}

function costOf(pattern: string): number {
  const plain = parsePlain(pattern)
  if (!plain || plain.minLength < MIN_LENGTH) return Number.POSITIVE_INFINITY
  return plain.cost + Math.ceil(COST_OF_MATCH / plain.minLength)
}
