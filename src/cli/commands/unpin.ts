import { unpinJson } from '../../core/write-json.ts'
import { unpinnedLine } from '../../core/write-text.ts'
import { jsonPieces } from '../../util/json-pieces.ts'
import { writeLines, writePieces } from '../../util/terminal-output.ts'
import { defineCommand } from '../command.ts'
import { withMemory } from '../databases.ts'

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
