import { envelopeText, listEnvelopeText } from '../envelope-text.ts'
import { type FirstLook, type FirstLookInput, firstLook } from '../find/map/first-look.ts'
import { fetch } from '../find/read/fetch.ts'
import { fetchBatch } from '../find/read/fetch-batch.ts'
import type { FetchAnswer, FetchBatchAnswer, FetchBatchInput, FetchInput } from '../find/read/fetch-model.ts'
import { type RelatedResult, related } from '../find/read/related.ts'
import type { RelatedInput } from '../find/read/related-model.ts'
import { tree } from '../find/read/tree.ts'
import type { TreeAnswer, TreeInput } from '../find/read/tree-model.ts'
import { type SearchResult, search, searchWords } from '../find/search.ts'
import type { SearchInput } from '../find/search-model.ts'
import { type BlamedNode, type BlameInput, blame } from '../history/blame.ts'
import { delta, diff, history, type Paged } from '../history/history.ts'
import { type LogInput, type LogRow, log } from '../history/log.ts'
import type { PlacedVersion } from '../history/version-places.ts'
import { type Changes, type ChangesInput, changes } from '../observe/changes.ts'
import { diffs } from '../observe/diffs.ts'
import { eachTree, type ForestInput } from '../observe/forest.ts'
import { type ForestPage, forestPage } from '../observe/forest-page.ts'
import { graph } from '../observe/graph.ts'
import { temperature } from '../observe/temperature.ts'
import type { PageInput } from '../page.ts'
import { readAt } from '../past/store-at.ts'
import type { NodeName } from '../port/heat.ts'
import type { AsOf, MaybePast } from '../port/history.ts'
import type { QueryTools, StoreQuery, VersionRow } from '../port/store.ts'

type Reading<T> = T & { read: NodeName[] }

export const relatedNodes: StoreQuery<RelatedInput, RelatedResult> = {
  name: 'related',
  run: ({ store }, input) => related(store, input),
}

/** A query of nodes and documents that may also be of the past. */
function alsoPast<I extends AsOf, O extends object>(
  name: string,
  read: (deps: { store: QueryTools['store']; now: () => number }, input: I) => Promise<O>,
): StoreQuery<I | undefined, O & MaybePast> {
  return {
    name,
    run: ({ store, handle, now }, input) =>
      readAt(store, { asOf: input?.asOf, now, handle }, (past, then) =>
        read({ store: past, now: () => then }, input as I),
      ),
  }
}

export const searchNodes = alsoPast<SearchInput, SearchResult>('search', search)

export const fetchNodes = alsoPast<FetchInput, Reading<FetchAnswer>>('fetch', ({ store }, input) =>
  fetch(store, input),
)

export const fetchMany = alsoPast<FetchBatchInput, Reading<FetchBatchAnswer>>(
  'fetch many',
  ({ store }, input) => fetchBatch(store, input),
)

export const forestPageQuery = alsoPast<ForestInput & PageInput & AsOf, ForestPage>(
  'forest page',
  ({ store }, input) => forestPage(store, input),
)

export const netChanges: StoreQuery<ChangesInput, Changes> = {
  name: 'changes',
  run: ({ store, now }, input) => changes({ store, now: () => now }, input),
}

export const treePage = alsoPast<TreeInput, Reading<TreeAnswer>>('tree', ({ store }, input) =>
  tree(store, input),
)

export const lookFirst = alsoPast<FirstLookInput, Reading<FirstLook>>('first look', ({ store }, input) =>
  firstLook(store, input),
)

export const deltaPage: StoreQuery<Parameters<typeof delta>[1], Paged<VersionRow>> = {
  name: 'delta',
  run: ({ store }, input) => delta(store, input),
}

export const diffPage: StoreQuery<Parameters<typeof diff>[1], Paged<PlacedVersion>> = {
  name: 'diff',
  run: ({ store }, input) => diff(store, input),
}

export const historyPage: StoreQuery<Parameters<typeof history>[1], Paged<PlacedVersion>> = {
  name: 'history',
  run: ({ store }, input) => history(store, input),
}

export const blamePage = alsoPast<BlameInput & AsOf, Paged<BlamedNode>>('blame', ({ store }, input) =>
  blame(store, input),
)

export const snapshotLog: StoreQuery<LogInput, Paged<LogRow>> = {
  name: 'log',
  run: ({ store, now }, input) => log(store, input, now),
}

/** The answer as text: sending a large memory as objects takes longer than computing it. */
interface AsText {
  paged: string
}

export const forestText: StoreQuery<ForestInput & AsText, string> = {
  name: 'forest text',
  run: ({ store }, { paged, ...input }) =>
    listEnvelopeText('roots', (take) => eachTree(store, input, take), { paged }),
}

export const graphText: StoreQuery<AsText, string> = {
  name: 'graph text',
  run: async ({ store }, options) => envelopeText(await graph(store), options),
}

export const temperatureText: StoreQuery<{ hot: number; cold: number } & AsText, string> = {
  name: 'temperature text',
  run: async ({ store }, { paged, ...thresholds }) =>
    envelopeText(await temperature({ store, thresholds: () => thresholds }), { paged }),
}

export const diffsText: StoreQuery<{ snapshotId: number } & AsText, string> = {
  name: 'diffs text',
  run: async ({ store, hash }, { snapshotId, ...options }) =>
    envelopeText(await diffs({ store, hash }, snapshotId), options),
}

/** Every query. An engine that runs queries elsewhere looks them up here by name. */
export const QUERIES: readonly StoreQuery<never, unknown>[] = [
  blamePage,
  deltaPage,
  diffPage,
  diffsText,
  fetchMany,
  fetchNodes,
  forestPageQuery,
  forestText,
  graphText,
  historyPage,
  lookFirst,
  netChanges,
  relatedNodes,
  searchNodes,
  searchWords,
  snapshotLog,
  temperatureText,
  treePage,
]
