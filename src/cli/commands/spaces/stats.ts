import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { defineCommand } from '../../base/command.ts'
import { withSpaces } from '../../base/with-spaces.ts'
import { statsJson, statsLines } from '../../layout/spaces.ts'

export const command = defineCommand({
  parameters: { name: { kind: 'text', optional: true, help: 'The space. Default: every space' } },
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  names: ['spaces'],
  examples: ['remindb spaces stats --spaces team', 'remindb spaces stats ops --spaces team --json'],

  async run(context, { parameters: { name }, flags: { json } }) {
    const stats = await withSpaces(context, async (spaces) => {
      const names = name === undefined ? (await spaces.list()).map((space) => space.name) : [name]
      const found = []
      for (const one of names) found.push(await spaces.stats(one))
      return found
    })
    if (json) await writePieces(context.out, jsonPieces(stats.map(statsJson)))
    else await writeLines(context.out, statsLines(stats, context.palette))
    return 0
  },
})
