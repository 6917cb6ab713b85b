import { given } from '../../util/given.ts'
import type { Filters } from '../find/query/query-model.ts'
import type { FetchAnswer, FetchBatchAnswer } from '../find/read/fetch-model.ts'
import type { RelatedAnswer } from '../find/read/related-model.ts'
import type { TreeAnswer } from '../find/read/tree-model.ts'
import type { SearchAnswer, SearchHit } from '../find/search-model.ts'

/** The keys and their order are locked. */
export function searchJson({ query, hits, leftOut, searched }: SearchAnswer) {
  return {
    query,
    hits: hits.map(hitJson),
    left_out: leftOut,
    searched: { ...searched, filters: filtersJson(searched.filters) },
  }
}

/** By the names of a query. */
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

export function fetchJson({ anchor, nodes, leftOut, snapshotId }: FetchAnswer) {
  const { isMore, ...counts } = leftOut
  return { anchor, nodes, left_out: { ...counts, is_more: isMore }, snapshot_id: snapshotId }
}

export function batchJson({ nodes, notFound, overBudget, snapshotId }: FetchBatchAnswer) {
  return { nodes, not_found: notFound, over_budget: overBudget, snapshot_id: snapshotId }
}

export function relatedJson({ anchor, related, leftOut, isComplete }: RelatedAnswer) {
  return { anchor, related, left_out: leftOut, complete: isComplete }
}

export function treeJson({ nodes, next }: TreeAnswer) {
  return { nodes, next }
}
