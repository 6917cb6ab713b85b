import { weightOf } from '../../core/link-text.ts'
import { relateJson } from '../../core/render/write-json.ts'
import { relatedLine } from '../../core/render/write-text.ts'
import type { RelateInput } from '../../core/tree/relate.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand, UsageError } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { relateTarget, TARGET_FLAGS, TARGET_PARAMETERS } from '../base/relate-target.ts'

export const command = defineCommand({
  parameters: TARGET_PARAMETERS,
  flags: {
    ...TARGET_FLAGS,
    weight: { kind: 'text', short: 'w', value: 'N', help: 'The strength of the link. Default: 1' },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: [
    'remindb relate 603qfsg4qd2 3kGXxidmWBp --weight 2',
    'remindb relate 603qfsg4qd2 --label "Release plan" --source docs/plan.md',
  ],

  async run(context, { parameters, flags }) {
    const input: RelateInput = relateTarget(parameters, flags)
    if (flags.weight !== undefined) input.weight = weightFrom(flags.weight)
    await withMemory(context, async (memory) => {
      const result = await memory.relate(input)
      const { sourceId } = input
      if (flags.json) await writePieces(context.out, jsonPieces(relateJson(sourceId, result)))
      else await writeLines(context.out, [relatedLine(sourceId, result)])
    })
    return 0
  },
})

function weightFrom(text: string): number {
  const weight = weightOf(text)
  if (weight === undefined) throw new UsageError(`--weight must be a number, got "${text}"`)
  return weight
}
