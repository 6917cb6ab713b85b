import { batchText } from '../../core/find/read/fetch-batch-text.ts'
import { fetchText } from '../../core/find/read/fetch-text.ts'
import { asOfJson, asOfLines } from '../../core/past/as-of-text.ts'
import type { AsOf } from '../../core/port/history.ts'
import { batchJson, fetchJson } from '../../core/render/find-json.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import { given } from '../../util/given.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { type Context, defineCommand, UsageError } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { READ_FLAGS } from '../base/read-flags.ts'
import { paintOf } from '../layout/paint.ts'

interface Options extends AsOf {
  budget?: number
  warm: boolean
  json: boolean
}

export const command = defineCommand({
  parameters: {
    'node-id': {
      kind: 'text',
      many: true,
      help: 'The id of a node, read with the nodes above and below it. Several ids: only these nodes',
    },
  },
  flags: {
    depth: {
      kind: 'number',
      value: 'N',
      min: 0,
      help: 'With one id: how many levels below it. Default: 32, at most 128',
    },
    ...READ_FLAGS,
  },
  examples: [
    'remindb fetch 25FHWVYdid1',
    'remindb fetch 25FHWVYdid1 --budget 500 --depth 1',
    'remindb fetch 25FHWVYdid1 603qfsg4qd2 3kGXxidmWBp --json',
  ],

  async run(
    context,
    { parameters: { 'node-id': ids }, flags: { depth, budget, json, warm, 'as-of': asOf } },
  ) {
    const [anchor = '', ...others] = ids
    if (others.length > 0 && depth !== undefined) throw new UsageError('--depth needs exactly one id')
    const options = { json, warm, ...given({ budget, asOf }) }
    await withMemory(context, (memory) =>
      others.length > 0
        ? showBatch(context, memory, { ids, ...options })
        : showOne(context, memory, { anchor, ...options, ...(depth === undefined ? {} : { depth }) }),
    )
    return 0
  },
})

async function showOne(
  { out, palette }: Context,
  memory: Memory,
  { json, ...input }: Options & { anchor: string; depth?: number },
): Promise<void> {
  const answer = await memory.fetch(input)
  if (json) return writePieces(out, jsonPieces({ ...fetchJson(answer), ...asOfJson(answer) }))
  await writeLines(out, [fetchText(answer, paintOf(palette)), ...asOfLines(answer)])
}

async function showBatch(
  { out, palette }: Context,
  memory: Memory,
  { json, ...input }: Options & { ids: string[] },
): Promise<void> {
  const answer = await memory.fetchBatch(input)
  if (json) return writePieces(out, jsonPieces({ ...batchJson(answer), ...asOfJson(answer) }))
  await writeLines(out, [batchText(answer, paintOf(palette)), ...asOfLines(answer)])
}
