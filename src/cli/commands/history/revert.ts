import type { RevertInput } from '../../../core/history/revert.ts'
import { defineCommand, UsageError } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { showUndo, UNDO_FLAGS } from './show-undo.ts'

export const command = defineCommand({
  parameters: {
    snapshots: {
      kind: 'text',
      many: true,
      optional: true,
      help: 'The snapshots to undo; history lists them',
    },
  },
  flags: {
    author: { kind: 'text', value: 'NAME', help: 'Undo what this author did, and nobody else' },
    since: {
      kind: 'text',
      value: 'moment',
      help: 'With --author: only what was done after this snapshot, checkpoint, date or time; 0: everything',
    },
    ...UNDO_FLAGS,
  },
  examples: [
    'remindb revert 12',
    'remindb revert 12 14 --dry-run',
    'remindb revert --author support-bot --since yesterday',
  ],

  async run(context, { parameters: { snapshots = [] }, flags }) {
    const what = whatToUndo(snapshots, flags)
    return withMemory(context, async (memory) => {
      const result = await memory.revert({ ...what, force: flags.force, dryRun: flags['dry-run'] })
      return showUndo(context, result, { ...flags, asked: askedOf(what) })
    })
  },
})

type What = { snapshots: number[] } | { author: string; since: string }

function whatToUndo(
  snapshots: readonly string[],
  given: { author?: string | undefined; since?: string | undefined },
): What {
  const { author, since } = given
  if (author === undefined) {
    if (since !== undefined) throw new UsageError('--since goes with --author')
    if (snapshots.length === 0) throw new UsageError('give the numbers of snapshots, or --author and --since')
    return { snapshots: snapshots.map(toNumber) }
  }
  if (snapshots.length > 0)
    throw new UsageError('give the numbers of snapshots, or --author and --since, not both')
  if (since === undefined)
    throw new UsageError(
      '--author needs --since: the moment before its first change to undo; 0 undoes everything',
    )
  return { author, since }
}

function toNumber(given: string): number {
  const number = Number(given)
  if (/^\d+$/.test(given) && Number.isSafeInteger(number) && number > 0) return number
  throw new UsageError(`a snapshot is a number from 1, got "${given}"`)
}

function askedOf(what: What & RevertInput) {
  return 'author' in what ? { author: what.author, since: String(what.since) } : { revert: what.snapshots }
}
