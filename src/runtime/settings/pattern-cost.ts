import type { CustomPattern } from '../../ingest/redact/custom.ts'
import { parsePlain } from '../../ingest/redact/text/plain-pattern.ts'
import { customPatterns, type ParseSetting } from './setting-values.ts'

/** What all patterns together may cost a text, in steps for each character. */
const MAX_COST = 50
/** Of what each of them matches. */
const MIN_LENGTH = 6
/** What each match costs: a text may be nothing but matches. */
const COST_OF_MATCH = 60

/**
 * Patterns for secrets, as a folder may have them: of a kind whose time is known. RE2 takes 25 ns for each part and character, and goes
 * back to where a match ended: a pattern of eight parts can take time that grows with the square of a text.
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
