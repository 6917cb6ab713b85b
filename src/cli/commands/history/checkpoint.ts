import type { Checkpoint } from '../../../core/history/checkpoint.ts'
import type { CheckpointRow } from '../../../core/port/history.ts'
import type { Memory } from '../../../runtime/memory/open-memory.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { printable } from '../../../util/text/printable.ts'
import { type Context, defineCommand, UsageError } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'

export const command = defineCommand({
  parameters: {
    name: { kind: 'text', optional: true, help: 'Its name. Default: list the checkpoints' },
  },
  flags: {
    snapshot: {
      kind: 'text',
      value: 'moment',
      help: 'The moment to name: a snapshot, date, time, or how long ago. Default: now',
    },
    remove: { kind: 'switch', help: 'Remove the name; the snapshot stays' },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: [
    'remindb checkpoint "before the move"',
    'remindb checkpoint release-1 --snapshot 42',
    'remindb checkpoint',
    'remindb checkpoint release-1 --remove',
  ],

  async run(context, { parameters: { name }, flags: { snapshot, remove, json } }) {
    if (name === undefined && (remove || snapshot !== undefined))
      throw new UsageError('give the name of the checkpoint')
    if (remove && snapshot !== undefined) throw new UsageError('--remove takes no --snapshot')
    await withMemory(context, async (memory) => {
      if (name === undefined) return listCheckpoints(context, memory, json)
      if (remove) await memory.removeCheckpoint(name)
      else {
        const made = await memory.checkpoint({ name, ...(snapshot !== undefined && { snapshot }) })
        if (json) return writePieces(context.out, jsonPieces(madeJson(made)))
        return writeLines(context.out, [`${quoted(made.name)} is snapshot ${made.snapshot.id}`])
      }
      if (json) return writePieces(context.out, jsonPieces({ name, removed: true }))
      return writeLines(context.out, [`removed checkpoint ${quoted(name)}`])
    })
    return 0
  },
})

async function listCheckpoints({ out, palette }: Context, memory: Memory, json: boolean): Promise<void> {
  const all = await memory.checkpoints()
  if (json) return writePieces(out, jsonPieces({ checkpoints: all.map(checkpointJson) }))
  if (all.length === 0) return writeLines(out, ['no checkpoints'])
  const lineOf = ({ name, snapshotId, author }: CheckpointRow): string =>
    `${palette.bold(`#${snapshotId}`)} ${printable(name)} by ${printable(author)}`
  return writeLines(out, all.toReversed().map(lineOf))
}

function checkpointJson({ name, snapshotId, author, createdAt }: CheckpointRow) {
  return { name, snapshot_id: snapshotId, author, created_at: Math.floor(createdAt / 1000) }
}

function madeJson({ name, snapshot: { id, createdAt } }: Checkpoint) {
  return { name, snapshot_id: id, snapshot_created_at: Math.floor(createdAt / 1000) }
}

function quoted(name: string): string {
  return `"${printable(name)}"`
}
