import { shownName } from '../../core/address.ts'
import { isOnPath, matches } from '../../core/find/match-words.ts'
import type { Filters } from '../../core/find/query-model.ts'
import { tagWord } from '../../core/find/tags.ts'
import { isLive, type NodeRow } from '../../core/port/rows.ts'
import type { Posting, Postings, SearchReads, Surrounding } from '../../core/port/search.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import { tagsOf } from '../../core/write/door-counts.ts'
import { by } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { childrenByParent, heatOf, liveNodes } from './nodes.ts'
import { pick, type Tables } from './tables.ts'

export function searchReads(tables: Tables): Sync<SearchReads> {
  /** Newest first. */
  function keysOf({ match, filters = {} }: Posting): number[] {
    const found = liveNodes(tables)
      .reverse()
      .filter((node) => !match || pick(tables.index, [node.key]).some((row) => matches(row, match)))
    return found.filter((node) => passes(tables, node, filters)).map(({ key }) => key)
  }
  function passing(keys: Iterable<number>, filters: Filters): number[] {
    const nodes = pick(tables.nodes, new Set(keys)).filter(isLive)
    return keysIn(nodes.filter((node) => passes(tables, node, filters)))
  }
  function postings(asked: readonly Posting[], room = 0, filters?: Filters): Postings {
    const listed = asked.map((posting) => {
      const { limit, countTo = 0 } = posting
      const all = keysOf(posting)
      const count = Math.min(all.length, Math.max(limit, countTo))
      return { all, isCounted: countTo > 0, keys: all.slice(0, limit), count }
    })
    let left = room
    for (const one of listed.filter(({ isCounted }) => isCounted).sort(by(({ count }) => [count]))) {
      left -= one.count
      if (left < 0) break
      one.keys = one.all.slice(0, one.count)
    }
    const found = listed.map(({ keys, count }) => ({ keys, count }))
    const answer = { nodes: tables.counters.get('nodes') ?? 0, found }
    if (!filters) return answer
    const whole = found.filter(({ keys, count }) => keys.length === count)
    return {
      ...answer,
      passing: passing(
        whole.flatMap(({ keys }) => keys),
        filters,
      ),
    }
  }
  function surrounding(node: NodeRow, siblings: NodeRow[], reach: number): Surrounding {
    const { key, type, tokens, documentId, parentKey, position } = node
    // What has the same position is neither before nor after.
    const earlier = siblings.filter((one) => one.position < position).reverse()
    const before = earlier.slice(0, reach)
    const after = siblings.filter((one) => one.position > position).slice(0, reach)
    const headings = [...before, ...after].filter((one) => one.type === 'heading')
    const facts = { key, type, tokens, documentId, temperature: heatOf(tables, key), parentKey }
    return { ...facts, before: keysIn(before), after: keysIn(after), headings: keysIn(headings) }
  }

  return {
    postings,
    surroundings(keys, reach, filters) {
      const children = childrenByParent(tables)
      const nodes = pick(tables.nodes, keys).filter(isLive)
      const parents = new Map<number, number | null>()
      for (const { parentKey } of nodes)
        for (let key = parentKey; key !== null && !parents.has(key); key = parents.get(key) ?? null)
          parents.set(key, tables.nodes.get(key)?.parentKey ?? null)
      const around = nodes.map((node) => {
        const all = children.get(node.parentKey) ?? []
        const isSibling = (one: NodeRow): boolean => one.documentId === node.documentId
        return surrounding(node, node.parentKey === null ? all.filter(isSibling) : all, reach)
      })
      if (!filters) return { nodes: around, parents }
      const siblings = new Set(around.flatMap(({ before, after }) => [...before, ...after]))
      for (const key of keys) siblings.delete(key)
      return { nodes: around, parents, passing: passing(siblings, filters) }
    },
  }
}

function keysIn(rows: readonly { key: number }[]): number[] {
  return rows.map(({ key }) => key)
}

function passes(tables: Tables, node: NodeRow, filters: Filters): boolean {
  const { types, kinds, paths, tags = [], documentTags = [], since, pinned, without } = filters
  const { any = [], none = [] } = filters
  const { address, attributes } = tables.documents.get(node.documentId) as StoredDocument
  const row = tables.index.get(node.key)
  return (
    (!types || types.includes(node.type)) &&
    (!kinds || kinds.includes(address.kind)) &&
    (!paths || paths.some((path) => isOnPath(shownName(address), path))) &&
    (since === undefined || timesOf(tables, node).some((time) => time >= since)) &&
    (pinned === undefined || tables.heat.get(node.key)?.pinned === pinned) &&
    !(without && row && matches(row, without)) &&
    tags.every((tag) => hasTag(tables, node, tag)) &&
    documentTags.every((tag) => tagsOf(attributes).includes(tag)) &&
    any.every((some) => some.some((one) => passes(tables, node, one))) &&
    !none.some((one) => passes(tables, node, one))
  )
}

/** When it changed. */
function timesOf({ versions, snapshots }: Tables, { key }: NodeRow): number[] {
  const ids = (versions.get(key) ?? []).map(({ snapshotId }) => snapshotId)
  return pick(snapshots, ids).map(({ createdAt }) => createdAt)
}

/** Its text or the front matter of its document has the tag, or the document was stored with it. */
function hasTag(tables: Tables, { key, documentId }: NodeRow, tag: string): boolean {
  const hasWord = (one: number): boolean => tables.index.get(one)?.body.split(' ').includes(tag) ?? false
  const isFront = ({ type, parentKey }: NodeRow): boolean =>
    type === 'preamble' || tables.nodes.get(parentKey ?? 0)?.type === 'preamble'
  const [document] = pick(tables.documents, [documentId])
  const isGiven = tagsOf(document?.attributes ?? null).some((one) => tagWord(one) === tag)
  return (
    isGiven || hasWord(key) || liveNodes(tables, documentId).some((one) => isFront(one) && hasWord(one.key))
  )
}
