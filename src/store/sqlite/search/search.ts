import { findPostings, findSurroundings, type InstantIndex, runNow } from '../../../core/find/postings.ts'
import type { NodeType } from '../../../core/model.ts'
import type { Match, SearchReads, Surrounding, Surroundings } from '../../../core/port/search.ts'
import { type Context, listParameter } from '../database/context.ts'
import { EFFECTIVE_HEAT } from '../database/rows.ts'
import { limitOf, type Sync, statement, statements } from '../database/statements.ts'
import type { nodeReads } from '../nodes/nodes.ts'
import { filterSql, matchText } from './search-filters.ts'

/** With its siblings before it and after it, where they are requested. */
type SqlSurrounding = [
  ...facts: [key: number, type: NodeType, tokens: number, documentId: number, temperature: number],
  parentKey: number | null,
  secondKey: number | null,
  thirdKey: number | null,
  before?: string | number | null,
  after?: string | number | null,
]

const FACTS = `n.key, n.type, n.tokens, n.document_id, ${EFFECTIVE_HEAT}`
const FACTS_FROM =
  'json_each(@keys) j CROSS JOIN nodes n ON n.key = j.value CROSS JOIN heat h ON h.node_key = n.key'

const NODE = 'nodes n CROSS JOIN documents d ON d.id = n.document_id'

/**
 * The siblings on one side, nearest first, as a list in a text: `12,-14`. The keys of headings are negative. Removed nodes have no
 * parent and an empty position: the index of siblings leaves them out.
 */
function siblings(reach: number, comparison: '<' | '>', order: 'ASC' | 'DESC'): string {
  const some = (of: string): string =>
    `SELECT group_concat(key) FROM (SELECT CASE b.type WHEN 'heading' THEN -b.key ELSE b.key END AS key FROM nodes b
     WHERE ${of} AND b.position ${comparison} n.position ORDER BY b.position ${order} LIMIT ${reach})`
  return `, CASE WHEN n.parent_key IS NULL
    THEN (${some(`b.document_id = n.document_id AND b.parent_key IS NULL AND b.position > ''`)})
    ELSE (${some('b.parent_key = n.parent_key')}) END`
}

export function searchReads(
  { db, spaceId }: Context,
  { walk, nodes }: Pick<ReturnType<typeof nodeReads>, 'walk' | 'nodes'>,
): Sync<SearchReads> {
  const total = statement<[number], { value: number }>(
    db,
    `SELECT value FROM counters WHERE space_id = ? AND name = 'nodes'`,
  )
  const count = statement<[string, number], { count: number }>(
    db,
    `SELECT count(*) AS count FROM (SELECT 1 FROM node_index WHERE node_index MATCH ? ${limitOf()})`,
  )
  const around = statements(db, 'raw')
  const select = statements(db, 'pluck')

  function aroundAll(keys: readonly number[], reach: number): Surroundings {
    const asked = { keys: listParameter(keys), space: spaceId }
    const rows = around<SqlSurrounding>(String(reach), asked, () => aroundSql(reach))
    return { nodes: rows.map(toSurrounding), parents: parentsAbove(rows) }
  }
  function parentsAbove(rows: readonly SqlSurrounding[]): Surroundings['parents'] {
    const parents = new Map<number, number | null>()
    const next = new Set<number>()
    for (const [, , , , , parentKey, secondKey, thirdKey] of rows) {
      if (parentKey !== null) parents.set(parentKey, secondKey)
      if (secondKey !== null) parents.set(secondKey, thirdKey)
      if (thirdKey !== null) next.add(thirdKey)
    }
    const unknown = [...next].filter((key) => !parents.has(key))
    const rest = unknown.length > 0 ? walk({ keys: unknown }, { direction: 'up', fields: 'lineage' }) : []
    for (const { key, parentKey } of rest) parents.set(key, parentKey)
    return parents
  }

  const index: InstantIndex = {
    keysOf({ match, filters = {} }, limit) {
      const { conditions, parameters } = filterSql(filters)
      const asked = match ? { match: matchText(match) } : {}
      return select(keysSql(match, conditions), { ...parameters, ...asked, limit })
    },
    countOf: (match, most) => count().get(matchText(match), most)?.count ?? 0,
    passing(keys, filters) {
      const { conditions, parameters } = filterSql(filters)
      if (keys.length === 0 || conditions.length === 0) return keys
      return select(passingSql(conditions), { ...parameters, keys: listParameter(keys) })
    },
    hottest: (limit) => nodes({ order: 'warmest', limit, apart: true }, 'facts'),
  }

  return {
    postings: (postings, options) => ({
      nodes: total().get(spaceId)?.value ?? 0,
      ...runNow(findPostings(index, postings, options)),
    }),
    surroundings: (...asked) => runNow(findSurroundings(index, asked, (keys) => aroundAll(keys, asked[1]))),
    passing: index.passing,
  }
}

/** With two levels of ancestors, enough for most documents: another statement costs as much as ten rows. */
function aroundSql(reach: number): string {
  const beside = reach > 0 ? siblings(reach, '<', 'DESC') + siblings(reach, '>', 'ASC') : ''
  return `SELECT ${FACTS}, n.parent_key, p.parent_key, q.parent_key ${beside}
    FROM ${FACTS_FROM} LEFT JOIN nodes p ON p.key = n.parent_key LEFT JOIN nodes q ON q.key = p.parent_key`
}

function passingSql(conditions: readonly string[]): string {
  return `SELECT n.key FROM json_each(@keys) j CROSS JOIN ${NODE} WHERE n.key = j.value AND ${conditions.join(' AND ')}`
}

function keysSql(match: Match | null, conditions: readonly string[]): string {
  if (match && conditions.length === 0)
    return `SELECT rowid FROM node_index WHERE node_index MATCH @match ORDER BY rowid DESC ${limitOf('@limit')}`
  const where = ['n.removed_in IS NULL', ...conditions].join(' AND ')
  return match
    ? `SELECT i.rowid FROM node_index i CROSS JOIN ${NODE} WHERE i.node_index MATCH @match AND n.key = i.rowid
         AND ${where} ORDER BY i.rowid DESC ${limitOf('@limit')}`
    : `SELECT n.key FROM ${NODE} WHERE ${where} ORDER BY n.key DESC ${limitOf('@limit')}`
}

function toSurrounding(row: SqlSurrounding): Surrounding {
  const [key, type, tokens, documentId, temperature, parentKey, , , previous, next] = row
  const headings: number[] = []
  const before = siblingKeys(previous, headings)
  const after = siblingKeys(next, headings)
  return { key, type, tokens, documentId, temperature, parentKey, before, after, headings }
}

function siblingKeys(list: string | number | null | undefined, headings: number[]): number[] {
  if (list === null || list === undefined) return []
  return String(list)
    .split(',')
    .map((one) => {
      const key = Math.abs(Number(one))
      if (one.startsWith('-')) headings.push(key)
      return key
    })
}
