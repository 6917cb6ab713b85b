import { given } from '../../util/given.ts'
import type { Filters } from './query/query-model.ts'
import type { SearchAnswer, SearchHit } from './search-model.ts'

/** The keys and their order are fixed: others read them. */
export function searchJson({ query, hits, leftOut, searched }: SearchAnswer) {
  return {
    query,
    hits: hits.map(hitJson),
    left_out: leftOut,
    searched: { ...searched, filters: filtersJson(searched.filters) },
  }
}

/** As they are asked for. */
function filtersJson(filters: Filters): Record<string, unknown> {
  const { types, kinds, paths, tags, since, pinned, any, none, without } = filters
  return given({
    type: types,
    kind: kinds,
    path: paths,
    tag: tags?.map((tag) => tag.slice(1)),
    since: since === undefined ? undefined : new Date(since).toISOString(),
    pinned,
    any: any?.map((some) => some.map(filtersJson)),
    none: none?.map(filtersJson),
    not: without?.units.map(({ shown }) => shown),
  })
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
    ...given({ cut, explain }),
  }
}
