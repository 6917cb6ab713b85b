import { shownName } from '../../core/address.ts'
import { isOnPath, matches } from '../../core/find/match-words.ts'
import type { Filters } from '../../core/find/query-model.ts'
import { isLive, type NodeRow } from '../../core/port/rows.ts'
import type { Posting, SearchReads } from '../../core/port/search.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import { tagsOf } from '../../core/write/door-counts.ts'
import { by } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { heatOf, liveNodes, versionsOf, wordsOf } from './nodes.ts'
import { keysIn, pick, type Tables } from './tables.ts'
import { treeOf, up } from './walks.ts'

export function searchReads(tables: Tables): Sync<SearchReads> {
  /** Newest first. */
  function keysOf({ match, filters = {} }: Posting): number[] {
    const nodes = liveNodes(tables).reverse()
    const found = match ? nodes.filter((node) => matches(wordsOf(tables, node), match)) : nodes
    return keysIn(found.filter((node) => passes(tables, node, filters)))
  }
  function passing(keys: Iterable<number>, filters: Filters): number[] {
    const nodes = pick(tables.nodes, new Set(keys)).filter(isLive)
    return keysIn(nodes.filter((node) => passes(tables, node, filters)))
  }
  return {
    postings(asked, room = 0, filters) {
      const listed = asked.map((posting) => {
        const { limit, countTo = 0 } = posting
        const all = keysOf(posting)
        const count = Math.min(all.length, Math.max(limit, countTo))
        return { all, isCounted: countTo > 0, keys: all.slice(0, limit), count }
      })
      let left = room
      for (const one of listed.filter(({ isCounted }) => isCounted).sort(by(({ count }) => [count]))) {
        left -= one.count
        if (left >= 0) one.keys = one.all.slice(0, one.count)
      }
      const found = listed.map(({ keys, count }) => ({ keys, count }))
      const answer = { nodes: tables.counters.get('nodes') ?? 0, found }
      const whole = found.flatMap(({ keys, count }) => (keys.length === count ? keys : []))
      return filters ? { ...answer, passing: passing(whole, filters) } : answer
    },
    surroundings(keys, reach, filters) {
      const { siblings } = treeOf(tables)
      const nodes = pick(tables.nodes, keys).filter(isLive)
      const above = up(tables, pick(tables.nodes, new Set(nodes.map(({ parentKey }) => parentKey ?? 0))))
      const around = nodes.map((node) => {
        const { key, type, tokens, documentId, parentKey, position } = node
        const all = siblings(parentKey === null ? { parentKey, documentId } : { parentKey })
        // What has the same position is neither before nor after.
        const before = all
          .filter((one) => one.position < position)
          .reverse()
          .slice(0, reach)
        const after = all.filter((one) => one.position > position).slice(0, reach)
        const headings = [...before, ...after].filter((one) => one.type === 'heading')
        const facts = { key, type, tokens, documentId, temperature: heatOf(tables, key), parentKey }
        return { ...facts, before: keysIn(before), after: keysIn(after), headings: keysIn(headings) }
      })
      const answer = { nodes: around, parents: new Map(above.map(({ node }) => [node.key, node.parentKey])) }
      if (!filters) return answer
      const others = new Set(around.flatMap(({ before, after }) => [...before, ...after]))
      for (const key of keys) others.delete(key)
      return { ...answer, passing: passing(others, filters) }
    },
  }
}

function passes(tables: Tables, node: NodeRow, filters: Filters): boolean {
  const { types, kinds, paths, tags = [], documentTags = [], since, pinned, without } = filters
  const { any = [], none = [] } = filters
  const { address, attributes } = tables.documents.get(node.documentId) as StoredDocument
  return (
    (!types || types.includes(node.type)) &&
    (!kinds || kinds.includes(address.kind)) &&
    (!paths || paths.some((path) => isOnPath(shownName(address), path))) &&
    (since === undefined || timesOf(tables, node).some((time) => time >= since)) &&
    (pinned === undefined || tables.heat.get(node.key)?.pinned === pinned) &&
    !(without && matches(wordsOf(tables, node), without)) &&
    tags.every((tag) => hasTag(tables, node, tag)) &&
    documentTags.every((tag) => tagsOf(attributes).includes(tag)) &&
    any.every((some) => some.some((one) => passes(tables, node, one))) &&
    !none.some((one) => passes(tables, node, one))
  )
}

/** When it changed. */
function timesOf(tables: Tables, { key }: NodeRow): number[] {
  const ids = versionsOf(tables, key).map(({ snapshotId }) => snapshotId)
  return pick(tables.snapshots, ids).map(({ createdAt }) => createdAt)
}

/** Its text or the front matter of its document has the tag, or the document was stored with it. */
function hasTag(tables: Tables, node: NodeRow, tag: string): boolean {
  const isFront = ({ type, parentKey }: NodeRow): boolean =>
    type === 'preamble' || tables.nodes.get(parentKey ?? 0)?.type === 'preamble'
  const own = liveNodes(tables, node.documentId)
  const saying = own.filter((one) => one.key === node.key || isFront(one))
  const isGiven = tables.tags.get(node.documentId)?.some(({ word }) => word === tag) ?? false
  return isGiven || saying.some((one) => wordsOf(tables, one).body.split(' ').includes(tag))
}
