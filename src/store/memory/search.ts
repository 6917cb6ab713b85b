import { shownName } from '../../core/address.ts'
import { matches, passes } from '../../core/find/match.ts'
import { findPostings, findSurroundings, type InstantIndex, runNow } from '../../core/find/postings.ts'
import type { Filters } from '../../core/find/query/query-model.ts'
import { isLive, type NodeRow } from '../../core/port/rows.ts'
import type { SearchReads, Surroundings } from '../../core/port/search.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import { tagsOf } from '../../core/rows/door-counts.ts'
import type { Sync } from '../tx.ts'
import { heatOf, liveNodes, nodeReads, versionsOf, wordsOf } from './nodes.ts'
import { keysIn, pick, type Tables } from './tables.ts'
import { treeOf, up } from './walks.ts'

export function searchReads(tables: Tables): Sync<SearchReads> {
  const passing = (nodes: readonly NodeRow[], filters: Filters): number[] =>
    keysIn(nodes.filter((node) => isLive(node) && passesAll(tables, node, filters)))
  const index: InstantIndex = {
    keysOf({ match, filters = {} }, limit) {
      const nodes = liveNodes(tables).reverse()
      const found = match ? nodes.filter((node) => matches(wordsOf(tables, node), match)) : nodes
      return passing(found, filters).slice(0, limit)
    },
    countOf: (match, most) => index.keysOf({ match, limit: most }, most).length,
    passing: (keys, filters) => passing(pick(tables.nodes, keys), filters),
    hottest: (limit) => nodeReads(tables).nodes({ order: 'warmest', limit, apart: true }, 'facts'),
  }
  return {
    passing: index.passing,
    postings: (postings, options) => ({
      nodes: tables.counters.get('nodes') ?? 0,
      ...runNow(findPostings(index, postings, options)),
    }),
    surroundings: (...asked) =>
      runNow(findSurroundings(index, asked, (keys) => around(tables, keys, asked[1]))),
  }
}

function around(tables: Tables, keys: readonly number[], reach: number): Surroundings {
  const { siblings } = treeOf(tables)
  const nodes = pick(tables.nodes, keys).filter(isLive)
  const above = up(tables, pick(tables.nodes, new Set(nodes.map(({ parentKey }) => parentKey ?? 0))))
  return {
    parents: new Map(above.map(({ node }) => [node.key, node.parentKey])),
    nodes: nodes.map((node) => {
      const { key, type, tokens, documentId, parentKey, position } = node
      const all = siblings(parentKey === null ? { parentKey, documentId } : { parentKey })
      // What has the same position is neither before nor after.
      const earlier = all.filter((one) => one.position < position)
      const before = earlier.reverse().slice(0, reach)
      const after = all.filter((one) => one.position > position).slice(0, reach)
      const headings = [...before, ...after].filter((one) => one.type === 'heading')
      const facts = { key, type, tokens, documentId, temperature: heatOf(tables, key).value, parentKey }
      return { ...facts, before: keysIn(before), after: keysIn(after), headings: keysIn(headings) }
    }),
  }
}

function passesAll(tables: Tables, node: NodeRow, filters: Filters): boolean {
  const { address, attributes } = tables.documents.get(node.documentId) as StoredDocument
  const changes = versionsOf(tables, node.key).map(({ snapshotId }) => snapshotId)
  return passes(
    {
      type: node.type,
      ...{ kind: address.kind, name: shownName(address), documentTags: tagsOf(attributes) },
      words: wordsOf(tables, node),
      tags: tagWords(tables, node),
      changedAt: Math.max(0, ...pick(tables.snapshots, changes).map(({ createdAt }) => createdAt)),
      pinned: heatOf(tables, node.key).pinned,
    },
    filters,
  )
}

/** All words of its text and of the front matter of its document, and the tags that the document was stored with. */
function tagWords(tables: Tables, node: NodeRow): string[] {
  const isFront = ({ type, parentKey }: NodeRow): boolean =>
    type === 'preamble' || tables.nodes.get(parentKey ?? 0)?.type === 'preamble'
  const own = liveNodes(tables, node.documentId)
  const saying = own.filter((one) => one.key === node.key || isFront(one))
  const given = tables.tags.get(node.documentId) ?? []
  return [...given.map(({ word }) => word), ...saying.flatMap((one) => wordsOf(tables, one).body.split(' '))]
}
