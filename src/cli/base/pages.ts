import type { Memory } from '../../runtime/memory/open-memory.ts'
import { writeLines } from '../../util/terminal/output.ts'
import { type Context, type Flags, UsageError } from './command.ts'
import { commandFor } from './invocation.ts'

/** The flags of a command that answers in pages. */
export const PAGE_FLAGS = {
  limit: { kind: 'number', value: 'N', min: 1, help: 'At most this many' },
  after: { kind: 'text', value: 'CURSOR', help: 'Continue an earlier answer: the cursor at its end' },
} as const satisfies Flags

export interface PageFlags {
  limit: number | undefined
  after: string | undefined
}

/** `shape` describes the cursors of this command. */
export function pageOf({ limit, after }: PageFlags, shape: RegExp): { limit?: number; after?: string } {
  if (after !== undefined && !shape.test(after))
    throw new UsageError(
      `--after must be the cursor at the end of an earlier answer, got ${JSON.stringify(after)}`,
    )
  return { ...(limit === undefined ? {} : { limit }), ...(after === undefined ? {} : { after }) }
}

interface Page {
  words: string
  limit: number | undefined
  label: 'more' | 'older'
}

/** After a page that was not the last: the command for the next one, with the same page size. */
export async function tellNext(
  context: Context,
  memory: Memory,
  { next, ...page }: Page & { next: string | null },
): Promise<void> {
  if (next !== null)
    await writeLines(context.out, [context.palette.dim(nextLine(context, memory, page)(next))])
}

/** Without colours. */
export function nextLine(
  context: Context,
  memory: Memory,
  { words, limit, label }: Page,
): (next: string) => string {
  const size = limit === undefined ? '' : ` --limit ${limit}`
  const toCommand = commandFor(context, memory.path)
  return (next) => `… ${label}: ${toCommand(`${words}${size} --after ${next}`)}`
}
