import { MIN_BUDGET } from '../../core/find/budget.ts'
import type { Flags } from './command.ts'

export function budgetHelp(tokens: number): string {
  return `At most this many tokens, from ${MIN_BUDGET}, counted on the text also with --json; 0 for no limit. Default: ${tokens}`
}

/** The flags of a command that reads within a budget. */
export const READ_FLAGS = {
  budget: {
    kind: 'number',
    value: 'TOKENS',
    min: 0,
    help: budgetHelp(0),
  },
  'as-of': {
    kind: 'text',
    value: 'moment',
    help: 'Read the past: a snapshot, checkpoint, date, time, or how long ago. It is never warmed',
  },
  warm: { kind: 'switch', help: 'Warm the nodes shown, as when an agent reads them' },
  json: { kind: 'switch', help: 'Print JSON' },
} as const satisfies Flags
