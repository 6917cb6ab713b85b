import { deltaJson } from '../../../core/render/versions-json.ts'
import { deltaLine } from '../../../core/render/versions-text.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { defineCommand } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { PAGE_FLAGS, pageOf, tellNext } from '../../base/pages.ts'

export const command = defineCommand({
  parameters: {
    since: {
      kind: 'number',
      min: 0,
      optional: true,
      help: 'The snapshot to start after. Default: 0, the beginning',
    },
  },
  flags: {
    ...PAGE_FLAGS,
    limit: { ...PAGE_FLAGS.limit, help: 'At most this many changes. Default: 100' },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: ['remindb delta 6', 'remindb delta --limit 20', 'remindb delta 6 --json'],

  async run(context, { parameters: { since = 0 }, flags }) {
    const { out, palette } = context
    const page = pageOf(flags, /^\d+[:.]\d+$/)
    await withMemory(context, async (memory) => {
      const { items, next } = await memory.delta({ since, ...page })
      if (flags.json) return writePieces(out, jsonPieces({ since, changes: items.map(deltaJson), next }))
      if (items.length === 0) return writeLines(out, ['no changes'])
      await writeLines(
        out,
        items.map((row) => deltaLine(row, palette)),
      )
      await tellNext(context, memory, { words: `delta ${since}`, next, limit: flags.limit, label: 'more' })
    })
    return 0
  },
})
