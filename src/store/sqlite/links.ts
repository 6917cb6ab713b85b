import type { Edge, EdgeRow, LinkDirection, LinkOrigin, LinkReads, LinkRow } from '../../core/port/links.ts'
import { type Context, listParameter } from './context.ts'
import { limitOf, type Sync, statement } from './statements.ts'

interface SqlEdge {
  source_key: number
  source_id: string
  target_key: number
  target_id: string
  weight: number
  origin: LinkOrigin
}

/** A link of one of the nodes that were asked for. Numbers only: a text for each link would take longer than all the rest. */
interface SqlLinkEnd {
  near: number
  /** 0 while it waits for its target. */
  far: number
  weight: number
  is_manual: number
  place: number
}

const NEAR_END = { out: 'source_key', in: 'target_key' } as const
const FAR_END = { out: 'target_key', in: 'source_key' } as const

interface SqlLink extends Omit<SqlEdge, 'target_key' | 'target_id'> {
  label: string
  source: string
  wanted_id: string
  place: number
  target_key: number | null
  target_id: string | null
}

/** In the order of sources an index has them, and only those of one source are sorted: a page costs the page. */
export const LINKS_AFTER = `SELECT l.source_key, s.id AS source_id, l.target_key, t.id AS target_id, l.weight, l.origin
  FROM links l CROSS JOIN nodes s ON s.key = l.source_key CROSS JOIN nodes t ON t.key = l.target_key
  WHERE (l.source_key, l.target_key, l.origin) > (?, ?, ?) AND l.target_key IS NOT NULL
  ORDER BY l.source_key, l.target_key, l.origin, l.place`

/** Links at one end of each of a list of nodes, grouped here and not by SQL: that takes half the time. */
function linksAt(direction: LinkDirection): string {
  const end = NEAR_END[direction]
  return `SELECT l.${end} AS near, coalesce(l.${FAR_END[direction]}, 0) AS far, l.weight, l.origin = 'manual' AS is_manual, l.place
   FROM json_each(@keys) j CROSS JOIN links l ON l.${end} = j.value`
}

/** No more of them than one node may have. Where there are more, `newestLinksAt` tells which; finding that out for each node takes half as long again. */
function firstLinksAt(direction: LinkDirection): string {
  return `${linksAt(direction)} ${limitOf('@perNode')}`
}

/** The newest of each node. What is too old is found in the index alone, so a node that a million link to costs no more than `perNode`. */
function newestLinksAt(direction: LinkDirection): string {
  return `${linksAt(direction)} AND l.id >
    coalesce((SELECT o.id FROM links o WHERE o.${NEAR_END[direction]} = j.value ORDER BY o.id DESC LIMIT 1 OFFSET @perNode), 0)`
}

const LINK = `SELECT l.source_key, s.id AS source_id, l.origin, l.label, l.source, l.target_id AS wanted_id, l.weight,
    l.place, l.target_key, t.id AS target_id
  FROM links l JOIN nodes s ON s.key = l.source_key LEFT JOIN nodes t ON t.key = l.target_key`

export function linkReads({ db }: Context): Sync<Pick<LinkReads, 'edgesOf' | 'listEdges' | 'listPending'>> {
  const ends = (sql: string) => statement<[{ keys: string; perNode: number }], SqlLinkEnd>(db, sql)
  const first = { out: ends(firstLinksAt('out')), in: ends(firstLinksAt('in')) }
  const newest = { out: ends(newestLinksAt('out')), in: ends(newestLinksAt('in')) }
  const all = statement<[number, number, string], SqlEdge>(db, LINKS_AFTER)
  const pending = statement<[number, LinkOrigin, number, number], SqlLink>(
    db,
    `${LINK} WHERE (l.source_key, l.origin = 'manual', l.place) > (?, ? = 'manual', ?)
       AND l.target_key IS NULL AND l.asleep = 0
     ORDER BY l.source_key, l.origin = 'manual', l.place ${limitOf()}`,
  )
  return {
    edgesOf(keys: number[], direction: LinkDirection, perNode = Number.MAX_SAFE_INTEGER): Edge[] {
      const asked = { keys: listParameter(keys), perNode }
      const links = first[direction]().all(asked)
      return edgesAmong(links.length < perNode ? links : newest[direction]().all(asked), direction)
    },
    listEdges({ limit, after }): EdgeRow[] {
      const { sourceKey, targetKey, origin } = after ?? { sourceKey: 0, targetKey: 0, origin: '' }
      return firstEdges(all().iterate(sourceKey, targetKey, origin), limit)
    },
    listPending({ limit, after }): LinkRow[] {
      const { sourceKey, origin, place } = after ?? { sourceKey: 0, origin: 'parsed', place: 0 }
      return pending().all(sourceKey, origin, place, limit).map(toLink)
    },
  }
}

/** The counters of links as they should be, of those in `links` or in a part of it. */
export function countedLinks(links = 'links'): string {
  return `SELECT 'relations.' || origin AS name, count(*) AS value FROM
    (SELECT DISTINCT source_key, origin, target_key FROM ${links} WHERE asleep = 0 AND target_key IS NOT NULL)
    GROUP BY origin
  UNION ALL SELECT 'relations_pending', count(*) FROM ${links} WHERE asleep = 0 AND target_key IS NULL`
}

/** Several links of a node to the same target are one edge; the last one tells its weight. */
function firstEdges(links: Iterable<SqlEdge>, limit: number): EdgeRow[] {
  const edges: EdgeRow[] = []
  for (const link of links) {
    const edge = toEdge(link)
    const last = edges.at(-1)
    const isSame =
      last?.sourceKey === edge.sourceKey && last.targetKey === edge.targetKey && last.origin === edge.origin
    if (isSame) edges.pop()
    else if (edges.length === limit) break
    edges.push(edge)
  }
  return edges
}

/** As `firstEdges`: of several links between the same two nodes the last one counts. The links of a node come together. */
function edgesAmong(links: SqlLinkEnd[], direction: LinkDirection): Edge[] {
  const last: SqlLinkEnd[] = []
  const places = new Map<number, number>()
  let near: number | undefined
  for (const link of links) {
    if (link.far === 0) continue
    if (link.near !== near) places.clear()
    near = link.near
    const name = 2 * link.far + link.is_manual
    const place = places.get(name) ?? last.length
    if (place === last.length) places.set(name, place)
    if (link.place > (last[place]?.place ?? -1)) last[place] = link
  }
  return last.map((link) => linkEdge(link, direction))
}

function linkEdge({ near, far, weight, is_manual }: SqlLinkEnd, direction: LinkDirection): Edge {
  const origin = is_manual === 1 ? 'manual' : 'parsed'
  return direction === 'out'
    ? { sourceKey: near, targetKey: far, weight, origin }
    : { sourceKey: far, targetKey: near, weight, origin }
}

function toEdge(row: SqlEdge): EdgeRow {
  return {
    sourceKey: row.source_key,
    sourceId: row.source_id,
    targetKey: row.target_key,
    targetId: row.target_id,
    weight: row.weight,
    origin: row.origin,
  }
}

function toLink(row: SqlLink): LinkRow {
  return {
    sourceKey: row.source_key,
    sourceId: row.source_id,
    origin: row.origin,
    place: row.place,
    label: row.label,
    weight: row.weight,
    source: row.source,
    id: row.wanted_id,
    targetKey: row.target_key,
    targetId: row.target_id,
  }
}
