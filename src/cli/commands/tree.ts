import { treeText } from '../../core/find/read/tree-text.ts'
import { asOfJson, asOfLines } from '../../core/past/as-of-text.ts'
import { treeJson } from '../../core/render/find-json.ts'
import { firstLookJson } from '../../core/render/first-look-text.ts'
import { given } from '../../util/given.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { findNothingYet } from '../base/nothing-yet.ts'
import { nextLine, PAGE_FLAGS, pageOf } from '../base/pages.ts'
import { READ_FLAGS } from '../base/read-flags.ts'
import { firstLookLines } from '../layout/first-look.ts'
import { paintOf } from '../layout/paint.ts'

export const command = defineCommand({
  parameters: {
    'node-id': {
      kind: 'text',
      optional: true,
      help: 'Only this node and the nodes below it. Default: every file',
    },
  },
  flags: {
    depth: {
      kind: 'number',
      value: 'N',
      min: 0,
      help: 'Levels below the top; 0 lists every document, a line each. Default: 3, at most 128; a large memory without flags prints a map',
    },
    limit: { ...PAGE_FLAGS.limit, help: 'At most this many nodes. Default: 200' },
    after: PAGE_FLAGS.after,
    ...READ_FLAGS,
  },
  examples: ['remindb tree', 'remindb tree --depth 0 --limit 50', 'remindb tree 25FHWVYdid1 --budget 1000'],

  async run(
    context,
    { parameters: { 'node-id': id }, flags: { depth, limit, after, budget, warm, json, 'as-of': asOf } },
  ) {
    const input = {
      ...pageOf({ limit, after }, /^\S+$/),
      ...(id === undefined ? {} : { root: id }),
      ...(depth === undefined ? {} : { depth }),
      ...(budget === undefined ? {} : { budget }),
      ...given({ asOf }),
      warm,
    }
    const isFirstLook = [id, depth, limit, after].every((given) => given === undefined)
    await withMemory(context, async (memory) => {
      if (isFirstLook) {
        const look = await memory.firstLook({ warm, ...given({ budget, asOf }) })
        if (json) return writePieces(context.out, jsonPieces({ ...firstLookJson(look), ...asOfJson(look) }))
        const lines = (await findNothingYet(memory)) ?? firstLookLines(look, context, memory.path)
        return writeLines(context.out, [...lines, ...asOfLines(look)])
      }
      const answer = await memory.tree(input)
      if (json) return writePieces(context.out, jsonPieces({ ...treeJson(answer), ...asOfJson(answer) }))
      const paint = paintOf(context.palette)
      const words = [
        'tree',
        ...(id === undefined ? [] : [id]),
        ...(depth === undefined ? [] : [`--depth ${depth}`]),
        // The same snapshot, whatever is stored meanwhile.
        ...(answer.readAt ? [`--as-of ${answer.readAt.id}`] : []),
      ]
      const more = nextLine(context, memory, { words: words.join(' '), limit, label: 'more' })
      // People get the full command; callers that count tokens get only the cursor.
      const shown = treeText(answer, budget ? { paint } : { paint, more })
      await writeLines(context.out, [shown, ...asOfLines(answer)])
    })
    return 0
  },
})
