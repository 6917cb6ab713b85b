import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { defineCommand } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { relateTarget, TARGET_FLAGS, TARGET_PARAMETERS } from '../base/relate-target.ts'

export const command = defineCommand({
  parameters: TARGET_PARAMETERS,
  flags: { ...TARGET_FLAGS, json: { kind: 'switch', help: 'Print JSON' } },
  examples: [
    'remindb unrelate 603qfsg4qd2 3kGXxidmWBp',
    'remindb unrelate 603qfsg4qd2 --label "Release plan" --source docs/plan.md',
  ],

  async run(context, { parameters, flags }) {
    const input = relateTarget(parameters, flags)
    await withMemory(context, async (memory) => {
      const removed = await memory.unrelate(input)
      const to = input.targetId ?? `"${input.targetLabel}"`
      const line = `removed ${plural(removed, 'manual link')}: ${input.sourceId} -> ${to}`
      if (flags.json) await writePieces(context.out, jsonPieces({ source_id: input.sourceId, removed }))
      else await writeLines(context.out, [printable(line)])
    })
    return 0
  },
})
