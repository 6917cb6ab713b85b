import { unpinJson } from '../../core/render/write-json.ts'
import { unpinnedLine } from '../../core/render/write-text.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'

export const command = defineCommand({
  parameters: { 'node-id': { kind: 'text', help: 'The node; search and tree show ids' } },
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  examples: ['remindb unpin 25FHWVYdid1'],

  async run(context, { parameters: { 'node-id': id }, flags: { json } }) {
    await withMemory(context, async (memory) => {
      await memory.unpin(id)
      if (json) return writePieces(context.out, jsonPieces(unpinJson(id)))
      return writeLines(context.out, [unpinnedLine(id)])
    })
    return 0
  },
})
