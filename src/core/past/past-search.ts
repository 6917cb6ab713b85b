import { shownName } from '../address.ts'
import { type FilteredNode, passes } from '../find/match.ts'
import { findPostings, findSurroundings, runLater, type WordIndex } from '../find/postings.ts'
import type { IndexRow } from '../find/query/index-row.ts'
import { isEmpty } from '../find/query/query-filters.ts'
import type { Filters } from '../find/query/query-model.ts'
import type { NodeRow } from '../port/rows.ts'
import type { Posting, SearchReads, Surrounding, Surroundings } from '../port/search.ts'
import type { ReadTx } from '../port/store.ts'
import { INITIAL_HEAT } from '../rows/coldness.ts'
import { tagRows, tagsOf } from '../rows/door-counts.ts'
import { keysOf as keysIn, type PastNode } from './past-nodes.ts'
import type { PastTree } from './past-tree.ts'
import type { PastView } from './past-view.ts'

const NO_WORDS: IndexRow = { label: '', body: '' }
/** Siblings may have the same position: those are neither before nor after. */
const SAME_PLACE = 8

/**
 * Finds nodes by the words that they had at a snapshot: those that did not change since by the index, the others by their stored
 * versions. Heat is not part of the past: all nodes are equally warm.
 */
export function pastSearch(tx: ReadTx, view: PastView, tree: PastTree): SearchReads {
  const { nodes: past, words } = view
  const isSame = (key: number): boolean => !past.has(key)
  const filtering = createFiltering(tx, view, tree)

  async function passing(keys: number[], filters: Filters): Promise<number[]> {
    if (isEmpty(filters)) return keys
    const [same, changed] = [keys.filter(isSame), keys.filter((key) => past.has(key))]
    const today = same.length === 0 ? [] : await tx.passing(same, filters)
    return [...today, ...(await filtering(changed, filters))]
  }
  async function keysOf({ match, filters = {} }: Posting, limit: number): Promise<number[]> {
    const posting = { match, filters, limit: limit + past.now.length }
    const [{ found }, then] = await Promise.all([tx.postings([posting]), words.find(tx, match)])
    const today = (found[0]?.keys ?? []).filter(isSame)
    const changed = isEmpty(filters) ? then : await filtering(then, filters)
    return [...today, ...changed].sort((a, b) => b - a).slice(0, limit)
  }
  const index: WordIndex = {
    keysOf,
    countOf: async (match, most) => (await keysOf({ match, limit: most }, most)).length,
    passing,
    hottest: () => [],
  }

  async function around(node: NodeRow, reach: number): Promise<Surrounding> {
    const { key, type, tokens, documentId, parentKey, position } = node
    const limit = reach + SAME_PLACE
    const [before, after] = await Promise.all([
      reach === 0 ? [] : tree.siblings({ parentKey, documentId, before: node }, { limit, backwards: true }),
      reach === 0 ? [] : tree.siblings({ parentKey, documentId, after: node }, { limit }),
    ])
    const near = [before, after].map((side) =>
      side.filter((one) => one.position !== position).slice(0, reach),
    )
    const headings = near.flat().filter((one) => one.type === 'heading')
    const [left = [], right = []] = near.map(keysIn)
    const facts = { key, type, tokens, documentId, temperature: INITIAL_HEAT, parentKey }
    return { ...facts, before: left, after: right, headings: keysIn(headings) }
  }
  /** Where neither a node nor its siblings changed, today's surroundings are those of then. */
  async function allAround(rows: readonly NodeRow[], reach: number): Promise<Surrounding[]> {
    const same = rows.filter((row) => isSame(row.key) && !past.differsIn(row))
    const others = rows.filter((row) => !same.includes(row))
    const today = same.length === 0 ? [] : (await tx.surroundings(keysIn(same), reach)).nodes
    const then = await Promise.all(others.map((row) => around(row, reach)))
    return [...today.map((one) => ({ ...one, temperature: INITIAL_HEAT })), ...then]
  }
  async function parentsOf(rows: readonly NodeRow[]): Promise<Surroundings['parents']> {
    const keys = [...new Set(rows.flatMap(({ parentKey }) => parentKey ?? []))]
    const above = await tree.up(await tree.byKeys(keys))
    return new Map(above.map(({ node: { key, parentKey } }) => [key, parentKey]))
  }

  return {
    async postings(postings, options) {
      const { nodes } = await tx.postings([])
      const found = await runLater(findPostings(index, postings, options))
      return { nodes: nodes - past.now.length + past.were.length, ...found }
    },
    surroundings: (...asked) =>
      runLater(
        findSurroundings(index, asked, async (keys) => {
          const rows = await tree.byKeys(keys)
          const [nodes, parents] = await Promise.all([allAround(rows, asked[1]), parentsOf(rows)])
          return { nodes, parents }
        }),
      ),
    passing,
  }
}

/** Which changed nodes passed. */
function createFiltering(tx: ReadTx, { nodes: past, documents, words }: PastView, tree: PastTree) {
  const times = new Map<number, number>()
  const front = new Map<number, Promise<string[]>>()

  async function timeOf(snapshotId: number): Promise<number> {
    const known = times.get(snapshotId)
    if (known !== undefined) return known
    // If it was pruned since the view was read, the next one that stays took its changes.
    const [found] = await tx.snapshots({ after: snapshotId - 1, limit: 1, oldestFirst: true })
    const time = found?.createdAt ?? 0
    times.set(snapshotId, time)
    return time
  }
  /** The words of a document's front matter: its tags hold for all of its nodes. */
  async function readFront(documentId: number): Promise<string[]> {
    const roots = await tree.siblings({ parentKey: null, documentId }, { limit: FRONT })
    const top = roots.filter(({ type }) => type === 'preamble')
    const below = [...(await tree.children(top)).values()].flat()
    const found = await tree.words([...top, ...below])
    return found.flatMap(({ body }) => body.split(' '))
  }
  function frontOf(documentId: number): Promise<string[]> {
    const known = front.get(documentId) ?? readFront(documentId)
    front.set(documentId, known)
    return known
  }
  async function factsOf(node: PastNode, own: IndexRow): Promise<FilteredNode> {
    const document = documents.get(node.documentId)
    if (!document) throw new Error('a changed node has no document')
    const { address, attributes } = document
    const given = tagRows(attributes).map(({ word }) => word)
    return {
      ...{ type: node.type, kind: address.kind, name: shownName(address), words: own },
      tags: [...given, ...(await frontOf(node.documentId)), ...own.body.split(' ')],
      documentTags: tagsOf(attributes),
      changedAt: await timeOf(node.changedIn),
      pinned: false,
    }
  }
  return async (keys: readonly number[], filters: Filters): Promise<number[]> => {
    const were = keys.flatMap((key) => past.get(key)?.was ?? [])
    const own = await words.wordsOf(tx, were)
    const found: number[] = []
    for (const node of were)
      if (passes(await factsOf(node, own.get(node.key) ?? NO_WORDS), filters)) found.push(node.key)
    return found
  }
}

/** Front matter is the first root of its document. */
const FRONT = 4
