import { writeLines, writePieces } from '../../util/terminal-output.ts'
import { printable } from '../../util/terminal-text.ts'
import { defineCommand } from '../command.ts'
import { withMemory } from '../databases.ts'
import { commandFor } from '../invocation.ts'
import { jsonPieces } from '../json.ts'
import { historyLines, versionJson } from '../layout/versions.ts'
import { PAGE_FLAGS, pageOf } from '../pages.ts'

export const command = defineCommand({
  parameters: {
    'node-id': {
      kind: 'text',
      help: 'The id of a node, also of one that is gone; inspect --tree and delta show ids',
    },
  },
  flags: { ...PAGE_FLAGS, json: { kind: 'switch', help: 'Print JSON, with the whole texts' } },
  examples: ['remindb history 25FHWVYdid1', 'remindb history 25FHWVYdid1 --limit 1 --json'],

  async run(context, { parameters: { 'node-id': id }, flags }) {
    const { out, palette } = context
    const page = pageOf(flags, /^\d+$/)
    await withMemory(context, async (memory) => {
      const { items, next } = await memory.history({ id, ...page })
      if (flags.json) {
        const versions = items.map((row) => ({
          snapshot_id: row.snapshotId,
          op: row.op,
          old: versionJson(row.old),
          new: versionJson(row.new),
        }))
        return writePieces(out, jsonPieces({ node_id: id, versions, next }))
      }
      if (items.length === 0) return writeLines(out, [`no history for ${printable(id)}`])
      for (const row of items) await writeLines(out, historyLines(row, palette))
      if (next === null) return
      const older = commandFor(context, memory.path)(`history ${id} --after ${next}`)
      await writeLines(out, [palette.dim(`… older: ${older}`)])
    })
    return 0
  },
})
