import { jsonPieces } from '../../util/json-pieces.ts'
import { writeLines, writePieces } from '../../util/terminal-output.ts'
import { printable } from '../../util/terminal-text.ts'
import { defineCommand } from '../command.ts'
import { withMemory } from '../databases.ts'

export const command = defineCommand({
  parameters: { 'node-id': { kind: 'text', help: 'The node; search and tree show ids' } },
  flags: {
    temperature: {
      kind: 'fraction',
      value: 'HEAT',
      help: 'The heat to keep it at, 0 to 1. Default: the one it has',
    },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: ['remindb pin 25FHWVYdid1', 'remindb pin 25FHWVYdid1 --temperature 0.9'],

  async run(context, { parameters: { 'node-id': id }, flags: { temperature, json } }) {
    await withMemory(context, async (memory) => {
      await memory.pin({ id, ...(temperature === undefined ? {} : { temperature }) })
      const answer = { node_id: id, pinned: true, temperature: temperature ?? null }
      if (json) return writePieces(context.out, jsonPieces(answer))
      const heat = temperature === undefined ? '' : ` at temperature ${temperature.toFixed(2)}`
      return writeLines(context.out, [`pinned node ${printable(id)}${heat}`])
    })
    return 0
  },
})
