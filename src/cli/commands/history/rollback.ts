import type { RollbackPreview } from '../../../core/history/rollback.ts'
import { diffLines } from '../../../core/render/diff-text.ts'
import { previewJson, rollbackJson } from '../../../core/render/write-json.ts'
import { rolledBackLine, wouldRollBackLine } from '../../../core/render/write-text.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { type Context, defineCommand } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'

export const command = defineCommand({
  parameters: {
    snapshot: { kind: 'number', min: 1, help: 'The snapshot to go back to; history lists them' },
  },
  flags: {
    'drop-after': {
      kind: 'switch',
      help: 'Also erase the snapshots after it permanently, with all text that only they held',
    },
    'dry-run': { kind: 'switch', help: 'Show what would change, node by node, and change nothing' },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: ['remindb rollback 6', 'remindb rollback 6 --dry-run', 'remindb rollback 6 --drop-after'],

  async run(context, { parameters: { snapshot }, flags }) {
    const dropAfter = flags['drop-after']
    await withMemory(context, async (memory) => {
      if (flags['dry-run']) {
        const preview = await memory.previewRollback({ snapshotId: snapshot })
        return showPreview(context, preview, { dropAfter, json: flags.json })
      }
      const result = await memory.rollback({ snapshotId: snapshot, dropAfter })
      if (flags.json) await writePieces(context.out, jsonPieces(rollbackJson(result)))
      else await writeLines(context.out, [rolledBackLine(result, dropAfter)])
    })
    return 0
  },
})

async function showPreview(
  { out, palette }: Context,
  preview: RollbackPreview,
  { dropAfter, json }: { dropAfter: boolean; json: boolean },
): Promise<void> {
  if (json) return writePieces(out, jsonPieces(previewJson(preview, dropAfter)))
  for (const row of preview.changes) await writeLines(out, [...diffLines(row, palette), ''])
  await writeLines(out, [wouldRollBackLine(preview, dropAfter)])
}
