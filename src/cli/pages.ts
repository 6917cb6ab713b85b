import type { Memory } from '../runtime/open-memory.ts'
import { writeLines } from '../util/terminal-output.ts'
import { type Context, type Flags, UsageError } from './command.ts'
import { commandFor } from './invocation.ts'

/** The flags of a command that answers in pages. */
export const PAGE_FLAGS = {
  limit: {
    kind: 'number',
    value: 'N',
    min: 1,
    help: 'At most this many. Default: 100; 10 versions of a node, 20 snapshots',
  },
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

/** After a page that was not the last: the command for the next one, with the same page size. */
export async function tellNext(
  context: Context,
  memory: Memory,
  answer: { words: string; next: string | null; limit: number | undefined; label: 'more' | 'older' },
): Promise<void> {
  const { words, next, limit, label } = answer
  if (next === null) return
  const size = limit === undefined ? '' : ` --limit ${limit}`
  const command = commandFor(context, memory.path)(`${words}${size} --after ${next}`)
  await writeLines(context.out, [context.palette.dim(`… ${label}: ${command}`)])
}
