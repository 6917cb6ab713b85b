import type { Flags } from './command.ts'
import { UsageError } from './command.ts'

/** The flags of a command that answers in pages. */
export const PAGE_FLAGS = {
  limit: { kind: 'number', value: 'N', min: 1, help: 'At most this many' },
  after: { kind: 'text', value: 'CURSOR', help: 'Go on where an earlier answer ended: its "next"' },
} as const satisfies Flags

export interface PageFlags {
  limit: number | undefined
  after: string | undefined
}

/** `shape` is what the cursors of this command look like. */
export function pageOf({ limit, after }: PageFlags, shape: RegExp): { limit?: number; after?: string } {
  if (after !== undefined && !shape.test(after))
    throw new UsageError(`--after must be the "next" of an earlier answer, got ${JSON.stringify(after)}`)
  return { ...(limit === undefined ? {} : { limit }), ...(after === undefined ? {} : { after }) }
}
