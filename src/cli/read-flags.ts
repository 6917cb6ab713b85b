import type { Flags } from './command.ts'

/** The flags of a command that reads as an agent does. */
export const READ_FLAGS = {
  budget: {
    kind: 'number',
    value: 'TOKENS',
    min: 0,
    help: 'Tokens that the text of the answer may cost, also with --json; 0 for no limit, the default',
  },
  warm: { kind: 'switch', help: 'Make what is shown warmer, as when an agent reads it' },
} as const satisfies Flags
