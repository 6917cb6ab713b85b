import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { defineCommand } from '../../base/command.ts'
import { withSpaces } from '../../base/with-spaces.ts'
import { spaceJson, spaceLines } from '../../layout/spaces.ts'

export const command = defineCommand({
  parameters: {},
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  names: ['spaces'],
  examples: ['remindb spaces list --spaces team', 'remindb spaces list --spaces team --json'],

  async run(context, { flags: { json } }) {
    const spaces = await withSpaces(context, (opened) => opened.list())
    if (json) await writePieces(context.out, jsonPieces(spaces.map(spaceJson)))
    else if (spaces.length > 0) await writeLines(context.out, spaceLines(spaces, context.palette))
    else await writeLines(context.err, ['no space yet; create one with `remindb spaces create NAME`'])
    return 0
  },
})
