import { writeJson } from '../../core/render/write-json.ts'
import { wroteLines } from '../../core/render/write-text.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand, UsageError } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { givenText } from '../base/given-text.ts'

export const command = defineCommand({
  parameters: {
    text: { kind: 'text', optional: true, help: 'The text, as Markdown. - or nothing: read it from stdin' },
  },
  flags: {
    anchor: { kind: 'text', value: 'ID', help: 'Replace the text of this node' },
    parent: { kind: 'text', value: 'ID', help: 'Append the text as a child of this node' },
    json: { kind: 'switch', help: 'Print JSON' },
    author: { kind: 'setting', value: 'NAME', setting: 'author' },
  },
  examples: [
    'remindb write "The customer prefers mail over phone."',
    'remindb write --anchor 25FHWVYdid1 "Retries are capped at six."',
    'git log -1 | remindb write --parent 25FHWVYdid1 --author ci',
  ],

  async run(context, { parameters: { text }, flags: { anchor, parent, json, author } }) {
    if (anchor !== undefined && parent !== undefined)
      throw new UsageError('--anchor and --parent exclude each other; give only one')
    const payload = await givenText(context, text, 'write')
    const work = async (memory: Memory): Promise<void> => {
      const place = {
        ...(anchor === undefined ? {} : { anchor }),
        ...(parent === undefined ? {} : { parent }),
      }
      const result = await memory.write({ payload, ...place })
      await (json
        ? writePieces(context.out, jsonPieces(writeJson(result)))
        : writeLines(context.out, wroteLines(result, context.palette)))
    }
    await withMemory(context, work, { author })
    return 0
  },
})
