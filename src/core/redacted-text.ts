import { plural } from '../util/text/units.ts'
import { type Palette, PLAIN_PALETTE } from './palette.ts'
import type { Redactions } from './redact.ts'

/** `redacted: 3 secrets (2 github_pat, 1 jwt)`; empty if there are none. */
export function redactedLines(redactions: Redactions, palette: Palette = PLAIN_PALETTE): string[] {
  const kinds = Object.entries(redactions).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  if (kinds.length === 0) return []
  const total = kinds.reduce((sum, [, count]) => sum + count, 0)
  return [
    `${palette.yellow('redacted:')} ${plural(total, 'secret')} (${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')})`,
  ]
}
