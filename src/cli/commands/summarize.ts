import { summarizeJson } from '../../core/render/write-json.ts'
import { summarizedLines } from '../../core/render/write-text.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { givenText } from '../base/given-text.ts'

export const command = defineCommand({
  parameters: {
    'node-id': { kind: 'text', help: 'The node; search and tree show ids' },
    text: { kind: 'text', optional: true, help: 'The text to keep. - or nothing: read it from stdin' },
  },
  flags: {
    temperature: {
      kind: 'fraction',
      value: 'HEAT',
      help: 'The heat of the node from now on, 0 to 1. Default: 0.5',
    },
    json: { kind: 'switch', help: 'Print JSON' },
    author: { kind: 'setting', value: 'NAME', setting: 'author' },
  },
  examples: [
    'remindb summarize 25FHWVYdid1 "Retries: five at most."',
    'remindb summarize 25FHWVYdid1 --temperature 0.2 < summary.txt',
  ],

  async run(context, { parameters: { 'node-id': id, text }, flags: { temperature, json, author } }) {
    const summary = await givenText(context, text, `summarize ${id}`)
    const work = async (memory: Memory): Promise<void> => {
      const heat = temperature === undefined ? {} : { temperature }
      const result = await memory.summarize({ id, summary, ...heat })
      await (json
        ? writePieces(context.out, jsonPieces(summarizeJson(id, result)))
        : writeLines(context.out, summarizedLines(id, result, context.palette)))
    }
    await withMemory(context, work, { author })
    return 0
  },
})
