import type { FirstLook, FirstLookInput } from '../../core/find/map/first-look.ts'
import { fetch } from '../../core/find/read/fetch.ts'
import { fetchBatch } from '../../core/find/read/fetch-batch.ts'
import type {
  FetchAnswer,
  FetchBatchAnswer,
  FetchBatchInput,
  FetchInput,
} from '../../core/find/read/fetch-model.ts'
import type { RelatedAnswer, RelatedInput } from '../../core/find/read/related-model.ts'
import type { TreeAnswer, TreeInput } from '../../core/find/read/tree-model.ts'
import type { SearchAnswer, SearchInput } from '../../core/find/search-model.ts'
import type { BlamedNode, BlameInput } from '../../core/history/blame.ts'
import type { delta, diff, history, Paged } from '../../core/history/history.ts'
import type { PlacedVersion } from '../../core/history/version-places.ts'
import {
  blamePage,
  deltaPage,
  diffPage,
  fetchMany,
  fetchNodes,
  historyPage,
  lookFirst,
  relatedNodes,
  searchNodes,
  treePage,
} from '../../core/operations/queries.ts'
import type { AsOf, MaybePast } from '../../core/port/history.ts'
import type { Store, StoreQuery, VersionRow } from '../../core/port/store.ts'
import type { ReadOptions, Warmed } from '../upkeep/warmed.ts'
import { createQuestionCalls } from './questions.ts'

export interface ReadsParts {
  store: Pick<Store, 'read' | 'query'>
  now: () => number
  warmed: Warmed
  /** Aborts reads that have not started. */
  signal?: AbortSignal | undefined
}

/** Operations that find and read nodes and their history. */
export function createReads({ store, now, warmed, signal }: ReadsParts) {
  const query = <I, O>(asked: StoreQuery<I, O>, input: I): Promise<O> => store.query(asked, input, { signal })
  return {
    ...createQuestionCalls({ store, now, signal }),
    /** The nodes linked to a node, directly or indirectly, with the path to each. */
    related: (input: RelatedInput & ReadOptions): Promise<RelatedAnswer> =>
      warmed(query(relatedNodes, input), input),
    /** Finds nodes by words, best first, and warms them. */
    search: (input: SearchInput & ReadOptions): Promise<SearchAnswer> =>
      warmed(query(searchNodes, input), input),
    /** A node with the nodes above and below it, the nearest first if the budget is small. Warms them. */
    fetch: (input: FetchInput & ReadOptions): Promise<FetchAnswer> =>
      // The present is read at once, the past where it holds up nobody.
      warmed(input?.asOf === undefined ? fetch(store, input) : query(fetchNodes, input), input),
    /** Many nodes in one call, without their context, within one budget. Warms them. */
    fetchBatch: (input: FetchBatchInput & ReadOptions): Promise<FetchBatchAnswer> =>
      warmed(input?.asOf === undefined ? fetchBatch(store, input) : query(fetchMany, input), input),
    /** One page of the outline, without texts. Warms its nodes, by less than reading does. */
    tree: (input?: TreeInput & ReadOptions): Promise<TreeAnswer> =>
      warmed(query(treePage, input), input, 'tree'),
    /** The outline if it fits in 500 tokens, else a map of that size. Warms an outline as `tree` does. */
    firstLook: (input?: FirstLookInput & ReadOptions): Promise<FirstLook> =>
      warmed(query(lookFirst, input), input, 'tree') as Promise<FirstLook>,
    delta: (input: Parameters<typeof delta>[1]): Promise<Paged<VersionRow>> => query(deltaPage, input),
    diff: (input: Parameters<typeof diff>[1]): Promise<Paged<PlacedVersion>> => query(diffPage, input),
    history: (input: Parameters<typeof history>[1]): Promise<Paged<PlacedVersion>> =>
      query(historyPage, input),
    /** The blocks of a document, each with the snapshot that last changed what it says. */
    blame: (input: BlameInput & AsOf): Promise<Paged<BlamedNode> & MaybePast> => query(blamePage, input),
  }
}

export type Reads = ReturnType<typeof createReads>
