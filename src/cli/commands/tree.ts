import { treeText } from '../../core/find/read/tree-text.ts'
import { treeJson } from '../../core/render/find-json.ts'
import { firstLookJson } from '../../core/render/first-look-text.ts'
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

  async run(context, { parameters: { 'node-id': id }, flags: { depth, limit, after, budget, warm, json } }) {
    const input = {
      ...pageOf({ limit, after }, /^\S+$/),
      ...(id === undefined ? {} : { root: id }),
      ...(depth === undefined ? {} : { depth }),
      ...(budget === undefined ? {} : { budget }),
      warm,
    }
    const isFirstLook = [id, depth, limit, after].every((given) => given === undefined)
    await withMemory(context, async (memory) => {
      if (isFirstLook) {
        const look = await memory.firstLook({ warm, ...(budget === undefined ? {} : { budget }) })
        if (json) return writePieces(context.out, jsonPieces(firstLookJson(look)))
        return writeLines(
          context.out,
          (await findNothingYet(memory)) ?? firstLookLines(look, context, memory.path),
        )
      }
      const answer = await memory.tree(input)
      if (json) return writePieces(context.out, jsonPieces(treeJson(answer)))
      const paint = paintOf(context.palette)
      const words = [
        'tree',
        ...(id === undefined ? [] : [id]),
        ...(depth === undefined ? [] : [`--depth ${depth}`]),
      ]
      const more = nextLine(context, memory, { words: words.join(' '), limit, label: 'more' })
      // People get the full command; callers that count tokens get only the cursor.
      await writeLines(context.out, [treeText(answer, budget ? { paint } : { paint, more })])
    })
    return 0
  },
})
