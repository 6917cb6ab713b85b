import { rollbackJson } from '../../core/write-json.ts'
import { rolledBackLine } from '../../core/write-text.ts'
import { jsonPieces } from '../../util/json-pieces.ts'
import { writeLines, writePieces } from '../../util/terminal-output.ts'
import { defineCommand } from '../command.ts'
import { withMemory } from '../databases.ts'

export const command = defineCommand({
  parameters: {
    snapshot: { kind: 'number', min: 1, help: 'The snapshot to go back to; history lists them' },
  },
  flags: {
    'drop-after': {
      kind: 'switch',
      help: 'Also forget the snapshots after it for good, with all text that only they held',
    },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: ['remindb rollback 6', 'remindb rollback 6 --drop-after'],

  async run(context, { parameters: { snapshot }, flags }) {
    const dropAfter = flags['drop-after']
    await withMemory(context, async (memory) => {
      const result = await memory.rollback({ snapshotId: snapshot, dropAfter })
      if (flags.json) await writePieces(context.out, jsonPieces(rollbackJson(result)))
      else await writeLines(context.out, [rolledBackLine(result, dropAfter)])
    })
    return 0
  },
})
