import { diffLines } from '../../../core/render/diff-text.ts'
import { diffJson } from '../../../core/render/versions-json.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { defineCommand, UsageError } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { PAGE_FLAGS, pageOf, tellNext } from '../../base/pages.ts'

export const command = defineCommand({
  parameters: {
    from: { kind: 'number', min: 0, help: 'The earlier snapshot; 0 is the empty memory before the first' },
    to: { kind: 'number', min: 0, help: 'The later snapshot' },
  },
  flags: {
    ...PAGE_FLAGS,
    limit: { ...PAGE_FLAGS.limit, help: 'At most this many nodes. Default: 100' },
    json: { kind: 'switch', help: 'Print JSON, with the whole texts' },
  },
  examples: ['remindb diff 3 7', 'remindb diff 0 1 --limit 10', 'remindb diff 3 7 --json'],

  async run(context, { parameters: { from, to }, flags }) {
    const { out, palette } = context
    if (from > to)
      throw new UsageError(`<from> must not be later than <to>; did you mean diff ${to} ${from}?`)
    const page = pageOf(flags, /^\d+$/)
    await withMemory(context, async (memory) => {
      const { items, next } = await memory.diff({ from, to, ...page })
      if (flags.json) return writePieces(out, jsonPieces({ from, to, changes: items.map(diffJson), next }))
      if (items.length === 0) return writeLines(out, ['no changes'])
      for (const [at, row] of items.entries()) {
        if (at > 0) await out.write('\n')
        await writeLines(out, diffLines(row, palette))
      }
      if (next !== null) await out.write('\n')
      await tellNext(context, memory, {
        words: `diff ${from} ${to}`,
        next,
        limit: flags.limit,
        label: 'more',
      })
    })
    return 0
  },
})
