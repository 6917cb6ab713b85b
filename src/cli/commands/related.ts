import { MAX_HOPS, RELATED_DIRECTIONS, type RelatedInput } from '../../core/find/read/related-model.ts'
import { relatedText } from '../../core/find/read/related-text.ts'
import { weightOf } from '../../core/link-text.ts'
import { relatedJson } from '../../core/render/find-json.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand, UsageError } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { budgetHelp, READ_FLAGS } from '../base/read-flags.ts'
import { paintOf } from '../layout/paint.ts'

export const command = defineCommand({
  parameters: { 'node-id': { kind: 'text', help: 'The id of the node to start from' } },
  flags: {
    direction: {
      kind: 'text',
      value: RELATED_DIRECTIONS.join('|'),
      help: 'Follow outgoing links, incoming links, or both. Default: both',
    },
    depth: {
      kind: 'number',
      value: 'N',
      min: 1,
      max: MAX_HOPS,
      help: `Hops, from 1 to ${MAX_HOPS}. Default: 1`,
    },
    'min-weight': { kind: 'text', value: 'N', help: 'Only links with at least this weight. Default: 0' },
    limit: { kind: 'number', value: 'N', min: 1, help: 'At most this many nodes. Default: 100' },
    ...READ_FLAGS,
    budget: { ...READ_FLAGS.budget, help: budgetHelp(1000) },
  },
  examples: ['remindb related 603qfsg4qd2', 'remindb related 603qfsg4qd2 --depth 3 --direction out --json'],

  async run(context, { parameters: { 'node-id': anchor }, flags: { json, warm, ...flags } }) {
    const input = { anchor, warm, ...inputOf(flags) }
    await withMemory(context, async (memory) => {
      const answer = await memory.related(input)
      if (json) return writePieces(context.out, jsonPieces(relatedJson(answer)))
      // A person gives a larger budget or limit; there is no offset here.
      return writeLines(context.out, [relatedText({ ...answer, next: null }, paintOf(context.palette))])
    })
    return 0
  },
})

interface Given {
  direction: string | undefined
  depth: number | undefined
  'min-weight': string | undefined
  budget: number | undefined
  limit: number | undefined
}

function inputOf({ direction, depth, 'min-weight': minWeight, budget, limit }: Given): Partial<RelatedInput> {
  return {
    ...(direction === undefined ? {} : { direction: directionOf(direction) }),
    ...(depth === undefined ? {} : { depth }),
    ...(minWeight === undefined ? {} : { minWeight: minWeightOf(minWeight) }),
    ...(budget === undefined ? {} : { budget }),
    ...(limit === undefined ? {} : { limit }),
  }
}

function directionOf(text: string): (typeof RELATED_DIRECTIONS)[number] {
  const direction = RELATED_DIRECTIONS.find((known) => known === text)
  if (direction) return direction
  throw new UsageError(
    `--direction must be one of ${RELATED_DIRECTIONS.join(', ')}, got ${JSON.stringify(text)}`,
  )
}

function minWeightOf(text: string): number {
  const weight = weightOf(text)
  if (weight !== undefined) return weight
  throw new UsageError(`--min-weight must be a number, got ${JSON.stringify(text)}`)
}
