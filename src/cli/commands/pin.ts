import { pinJson } from '../../core/render/write-json.ts'
import { pinnedLine } from '../../core/render/write-text.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'

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
      if (json) return writePieces(context.out, jsonPieces(pinJson(id, temperature)))
      return writeLines(context.out, [pinnedLine(id, temperature)])
    })
    return 0
  },
})
