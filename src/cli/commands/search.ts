import { MAX_LIMIT } from '../../core/find/search-model.ts'
import { searchLines } from '../../core/find/search-text.ts'
import { asOfJson, asOfLines } from '../../core/past/as-of-text.ts'
import { searchJson } from '../../core/render/find-json.ts'
import { given } from '../../util/given.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { findNothingYet } from '../base/nothing-yet.ts'
import { READ_FLAGS } from '../base/read-flags.ts'
import { paintOf } from '../layout/paint.ts'

export const command = defineCommand({
  parameters: {
    query: {
      kind: 'text',
      many: true,
      mayBeEmpty: true,
      help: 'Any text. "Phrases", AND, OR, NOT, prefix* and type:, path:, kind:, tag:, since:, pinned: are understood',
    },
  },
  flags: {
    limit: {
      kind: 'number',
      value: 'N',
      min: 1,
      max: MAX_LIMIT,
      help: `At most this many hits, up to ${MAX_LIMIT}. Default: 10, and no weak ones`,
    },
    ...READ_FLAGS,
    explain: { kind: 'switch', help: 'Show how the score of each hit is made up' },
  },
  examples: [
    'remindb search retry policy for webhooks',
    `remindb search '"rate limit" NOT billing' type:heading,text`,
    'remindb search rate limit --as-of yesterday',
    "remindb search 'deploy*' path:docs/ since:7d --limit 5 --explain",
  ],

  async run(
    context,
    { parameters: { query }, flags: { limit, budget, explain, warm, json, 'as-of': asOf } },
  ) {
    const { out, palette } = context
    await withMemory(context, async (memory) => {
      const answer = await memory.search({
        query: query.join(' '),
        ...given({ limit, budget, asOf }),
        explain,
        warm,
      })
      if (json) return writePieces(out, jsonPieces({ ...searchJson(answer), ...asOfJson(answer) }))
      const nothingYet = answer.searched.nodes === 0 ? await findNothingYet(memory) : undefined
      // A person gives a larger limit; there is no offset here.
      const { next: _, ...shown } = answer
      const lines = nothingYet ?? searchLines(shown, paintOf(palette))
      await writeLines(out, [...lines, ...asOfLines(answer)])
    })
    return 0
  },
})
