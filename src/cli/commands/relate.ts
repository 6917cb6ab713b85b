import { weightOf } from '../../core/link-text.ts'
import type { RelateInput } from '../../core/relate.ts'
import { jsonPieces } from '../../util/json-pieces.ts'
import { writeLines, writePieces } from '../../util/terminal-output.ts'
import { printable } from '../../util/terminal-text.ts'
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
      const to = result.status === 'resolved' ? result.targetId : `"${result.label}"`
      const line = `edge created (${result.status}): ${input.sourceId} -> ${to}`
      if (flags.json) await writePieces(context.out, jsonPieces(toJson(input, result)))
      else await writeLines(context.out, [printable(line)])
    })
    return 0
  },
})

function weightFrom(text: string): number {
  const weight = weightOf(text)
  if (weight === undefined) throw new UsageError(`--weight must be a number, got "${text}"`)
  return weight
}

function toJson({ sourceId }: RelateInput, result: { status: string; targetId?: string; label?: string }) {
  const { status, targetId = null, label = null } = result
  return { status, source_id: sourceId, target_id: targetId, target_label: label }
}
