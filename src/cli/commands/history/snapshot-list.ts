import type { LogRow } from '../../../core/history/log.ts'
import { logJson, logLine } from '../../../core/render/log-text.ts'
import type { Memory } from '../../../runtime/memory/open-memory.ts'
import { given } from '../../../util/given.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { shellWord } from '../../../util/text/shell-word.ts'
import { type Context, type Flags, type FlagValues, UsageError } from '../../base/command.ts'
import { PAGE_FLAGS, pageOf, tellNext } from '../../base/pages.ts'

const FILTERS = {
  author: { kind: 'text', value: 'NAME', help: 'Only snapshots by this author' },
  operation: { kind: 'text', value: 'NAME', help: 'Only this operation, such as write or compile' },
  path: {
    kind: 'text',
    value: 'PATH',
    help: 'Only snapshots that changed this document, or documents below this folder, under their names of now or then',
  },
  since: {
    kind: 'text',
    value: 'MOMENT',
    help: 'Only from this time on, or after this snapshot or checkpoint: 2026-05-01, 2h, 12',
  },
  until: { kind: 'text', value: 'MOMENT', help: 'Only up to this time, snapshot or checkpoint' },
} as const satisfies Flags

const SNAPSHOTS = 20

/** The flags of commands that list snapshots. */
export const SNAPSHOT_FLAGS = {
  ...FILTERS,
  ...PAGE_FLAGS,
  limit: { ...PAGE_FLAGS.limit, help: `At most this many. Default: ${SNAPSHOTS}` },
  json: { kind: 'switch', help: 'Print JSON' },
} as const satisfies Flags

type Filters = FlagValues<typeof FILTERS>

export interface SnapshotList {
  flags: FlagValues<typeof SNAPSHOT_FLAGS>
  /** The command that lists them. */
  name: 'log' | 'history'
}

/** Prints the snapshots that fit, newest first. `log` adds how many nodes each changed. */
export async function showSnapshots(
  context: Context,
  memory: Memory,
  { flags, name }: SnapshotList,
): Promise<void> {
  const { out, palette, cwd } = context
  const { limit = SNAPSHOTS, after } = { ...flags, ...pageOf(flags, /^\d+$/) }
  const filters = filtersOf(flags)
  const { items, next } = await memory.log({ ...given({ ...filters, after }), limit, cwd })
  if (flags.json) return writePieces(out, jsonPieces({ snapshots: items.map(logJson), next }))
  if (items.length === 0)
    return writeLines(out, [Object.keys(filters).length > 0 ? 'no snapshots match' : 'no snapshots'])
  const toLine = (row: LogRow): string => logLine(row, palette, { withNodes: name === 'log' })
  await writeLines(out, items.map(toLine))
  const words = [name, ...Object.entries(filters).map(([flag, value]) => `--${flag} ${shellWord(value)}`)]
  await tellNext(context, memory, { words: words.join(' '), next, limit: flags.limit, label: 'older' })
}

/** Those that are given. */
function filtersOf(flags: Filters): Partial<Record<keyof Filters, string>> {
  const names = Object.keys(FILTERS) as (keyof Filters)[]
  return given(Object.fromEntries(names.map((name) => [name, flags[name]])))
}

/** For a command that was called about something else. */
export function refuseFilters(flags: Filters): void {
  const [name] = Object.keys(filtersOf(flags))
  if (name) throw new UsageError(`--${name} selects snapshots; omit the id of a node`)
}
