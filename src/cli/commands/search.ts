import type { Filters } from '../../core/find/query-model.ts'
import { MAX_LIMIT } from '../../core/find/search.ts'
import type { SearchAnswer, SearchHit } from '../../core/find/search-model.ts'
import { searchLines } from '../../core/find/search-text.ts'
import { writeLines, writePieces } from '../../util/terminal-output.ts'
import { defineCommand } from '../command.ts'
import { withMemory } from '../databases.ts'
import { jsonPieces } from '../json.ts'
import { paintOf } from '../layout/paint.ts'
import { READ_FLAGS } from '../read-flags.ts'

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
    explain: { kind: 'switch', help: 'Show for each hit how its score came about' },
  },
  examples: [
    'remindb search retry policy for webhooks',
    `remindb search '"rate limit" NOT billing' type:heading,text`,
    "remindb search 'deploy*' path:docs/ since:7d --limit 5 --explain",
  ],

  async run(context, { parameters: { query }, flags: { limit, budget, explain, warm, json } }) {
    const { out, palette } = context
    await withMemory(context, async (memory) => {
      const answer = await memory.search({
        query: query.join(' '),
        ...given({ limit, budget }),
        explain,
        warm,
      })
      if (json) return writePieces(out, jsonPieces(answerJson(answer)))
      await writeLines(out, searchLines(answer, paintOf(palette)))
    })
    return 0
  },
})

/** Without what was not given: the library has the defaults. */
function given(numbers: { limit: number | undefined; budget: number | undefined }) {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined))
}

/** The keys and their order are fixed: others read them. */
function answerJson({ query, hits, leftOut, searched }: SearchAnswer) {
  return {
    query,
    hits: hits.map(hitJson),
    left_out: leftOut,
    searched: { ...searched, filters: filtersJson(searched.filters) },
  }
}

/** As they are asked for. */
function filtersJson({ types, kinds, paths, tags, since, pinned }: Filters) {
  return {
    type: types,
    kind: kinds,
    path: paths,
    tag: tags?.map((tag) => tag.slice(1)),
    since: since === undefined ? undefined : new Date(since).toISOString(),
    pinned,
  }
}

function hitJson({ headingPath, matches: _, score, temperature, tokens, cut, explain, ...hit }: SearchHit) {
  const { id, type, label, path, snippet } = hit
  return {
    id,
    type,
    label,
    path,
    heading_path: headingPath,
    snippet,
    score,
    temperature,
    tokens,
    cut,
    explain,
  }
}
