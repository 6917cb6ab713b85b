import { weightOf } from '../../core/link-text.ts'
import type { RelateInput } from '../../core/relate.ts'
import { relateJson } from '../../core/write-json.ts'
import { relatedLine } from '../../core/write-text.ts'
import { jsonPieces } from '../../util/json-pieces.ts'
import { writeLines, writePieces } from '../../util/terminal-output.ts'
import { defineCommand, UsageError } from '../command.ts'
import { withMemory } from '../databases.ts'
import { relateTarget, TARGET_FLAGS, TARGET_PARAMETERS } from '../relate-target.ts'

export const command = defineCommand({
  parameters: TARGET_PARAMETERS,
  flags: {
    ...TARGET_FLAGS,
    weight: { kind: 'text', short: 'w', value: 'N', help: 'How strongly they belong together. Default: 1' },
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
