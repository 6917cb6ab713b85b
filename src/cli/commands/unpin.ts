import { jsonPieces } from '../../util/json-pieces.ts'
import { writeLines, writePieces } from '../../util/terminal-output.ts'
import { printable } from '../../util/terminal-text.ts'
import { defineCommand } from '../command.ts'
import { withMemory } from '../databases.ts'

export const command = defineCommand({
  parameters: { 'node-id': { kind: 'text', help: 'The node; search and tree show ids' } },
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  examples: ['remindb unpin 25FHWVYdid1'],

  async run(context, { parameters: { 'node-id': id }, flags: { json } }) {
    await withMemory(context, async (memory) => {
      await memory.unpin(id)
      if (json) return writePieces(context.out, jsonPieces({ node_id: id, pinned: false }))
      return writeLines(context.out, [`unpinned node ${printable(id)}`])
    })
    return 0
  },
})
