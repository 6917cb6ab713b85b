import type { Statement } from 'better-sqlite3'
import type { Filters } from '../../core/find/query-model.ts'
import type { NodeType } from '../../core/model.ts'
import type {
  FoundRow,
  LineageRow,
  Match,
  NodeFacts,
  SearchReads,
  Surrounding,
} from '../../core/port/search.ts'
import { type Context, listParameter } from './context.ts'
import { EFFECTIVE_HEAT } from './heat.ts'
import { matchText } from './match-text.ts'
import { SHOWN_NAME } from './rows.ts'
import { type FilterSql, filterSql } from './search-filters.ts'
import { limitOf, type Sync, statement } from './statements.ts'

type SqlFacts = [key: number, type: NodeType, tokens: number, documentId: number, temperature: number]

/** With its siblings before it and after it, where they are asked for. */
type SqlSurrounding = [
  ...facts: SqlFacts,
  parentKey: number | null,
  secondKey: number | null,
  thirdKey: number | null,
  before?: string | number | null,
  after?: string | number | null,
]

const FACTS = `n.key, n.type, n.tokens, n.document_id, ${EFFECTIVE_HEAT}`
const FACTS_FROM =
  'spaces s, json_each(?) j CROSS JOIN nodes n ON n.key = j.value CROSS JOIN heat h ON h.node_key = n.key'

/** Statements for combinations of filters that are kept: with up to 32 tags there are thousands. */
const MAX_FILTERED = 64

const NODE = 'nodes n CROSS JOIN documents d ON d.id = n.document_id'

/**
 * The siblings on one side, nearest first, as a list in a text: `12,-14`. The keys of headings are negative. Removed nodes have no
 * parent and an empty position: they are no siblings, and the index alone tells.
 */
function siblings(reach: number, comparison: '<' | '>', order: 'ASC' | 'DESC'): string {
  const some = (of: string): string =>
    `SELECT group_concat(key) FROM (SELECT CASE b.type WHEN 'heading' THEN -b.key ELSE b.key END AS key FROM nodes b
     WHERE ${of} AND b.position ${comparison} n.position ORDER BY b.position ${order} LIMIT ${reach})`
  return `, CASE WHEN n.parent_key IS NULL
    THEN (${some(`b.document_id = n.document_id AND b.parent_key IS NULL AND b.position > ''`)})
    ELSE (${some('b.parent_key = n.parent_key')}) END`
}

export function searchReads({ db, spaceId }: Context): Sync<SearchReads> {
  const total = statement<[number], { value: number }>(
    db,
    `SELECT value FROM counters WHERE space_id = ? AND name = 'nodes'`,
  )
  const count = statement<[string, number], { count: number }>(
    db,
    `SELECT count(*) AS count FROM (SELECT 1 FROM node_index WHERE node_index MATCH ? ${limitOf()})`,
  )
  const matching = statement<[string, number], number>(
    db,
    `SELECT rowid FROM node_index WHERE node_index MATCH ? ORDER BY rowid DESC ${limitOf()}`,
  )
  // By the order of heat, which has all nodes that cool; what was reported as cold (`told`) is not hot.
  const IN_ORDER = 'told = 0 AND coldness IS NOT NULL'
  const nth = statement<[number], { coldness: number }>(
    db,
    `SELECT coldness FROM heat WHERE ${IN_ORDER} ORDER BY coldness DESC LIMIT 1 OFFSET CAST(? AS INTEGER)`,
  )
  const hotter = statement<[{ space: number; least: number }], { key: number; temperature: number }>(
    db,
    `SELECT node_key AS key, ${EFFECTIVE_HEAT} AS temperature FROM spaces s CROSS JOIN heat h
     WHERE s.id = @space AND ${IN_ORDER} AND coldness > @least
     UNION ALL SELECT node_key, value FROM spaces s CROSS JOIN heat
     WHERE s.id = @space AND pinned = 1 AND value > exp(@least - s.heat_clock)`,
  )
  const facts = statement<[string, number], SqlFacts>(db, `SELECT ${FACTS} FROM ${FACTS_FROM} WHERE s.id = ?`)
  // Two levels of what stands above, which is all there is in most documents: each statement more costs as much as ten rows.
  const around = (reach: number): Statement<[string, number], SqlSurrounding> =>
    db
      .prepare<[string, number], SqlSurrounding>(
        `SELECT ${FACTS}, n.parent_key, p.parent_key, q.parent_key ${reach > 0 ? siblings(reach, '<', 'DESC') + siblings(reach, '>', 'ASC') : ''}
         FROM ${FACTS_FROM} LEFT JOIN nodes p ON p.key = n.parent_key LEFT JOIN nodes q ON q.key = p.parent_key WHERE s.id = ?`,
      )
      .raw()
  const byReach = new Map<number, ReturnType<typeof around>>()
  function surroundings(keys: number[], reach: number): Surrounding[] {
    const prepared = byReach.get(reach) ?? around(reach)
    byReach.set(reach, prepared)
    return prepared.all(listParameter(keys), spaceId).map(toSurrounding)
  }
  const found = statement<[string], FoundRow>(
    db,
    `SELECT n.key, n.id, n.parent_key AS parentKey, n.type, n.label, n.tokens, ${SHOWN_NAME} AS source, coalesce(t.body, '') AS text
     FROM json_each(?) j CROSS JOIN ${NODE} LEFT JOIN texts t ON t.id = n.text_id WHERE n.key = j.value`,
  )
  const places = statement<[string], LineageRow>(
    db,
    'SELECT n.key, n.parent_key AS parentKey, n.position, n.label FROM json_each(?) j CROSS JOIN nodes n ON n.key = j.value',
  )
  const filtered = new Map<string, Statement<[Record<string, unknown>], number>>()

  function select(sql: string, parameters: Record<string, unknown>): number[] {
    let prepared = filtered.get(sql)
    if (!prepared) {
      if (filtered.size >= MAX_FILTERED) filtered.clear()
      prepared = db.prepare<[Record<string, unknown>], number>(sql).pluck()
      filtered.set(sql, prepared)
    }
    return prepared.all(parameters)
  }

  /** Level by level: a recursive query takes twice as long. */
  function lineage(keys: number[]): LineageRow[] {
    const found = new Map<number, LineageRow>()
    let level = keys
    while (level.length > 0) {
      const next = new Set<number>()
      for (const row of places().all(listParameter(level))) {
        found.set(row.key, row)
        if (row.parentKey !== null) next.add(row.parentKey)
      }
      level = [...next].filter((key) => !found.has(key))
    }
    return [...found.values()]
  }

  return {
    countNodes: () => total().get(spaceId)?.value ?? 0,
    countMatches: (match, limit) => count().get(matchText(match), limit)?.count ?? 0,
    matchingKeys(match, filters, limit) {
      const sql = filterSql(filters)
      if (match && sql.conditions.length === 0) return matching().pluck().all(matchText(match), limit)
      return select(keysSql(match, sql), {
        ...sql.parameters,
        ...(match ? { match: matchText(match) } : {}),
        limit,
      })
    },
    passing(keys, filters: Filters) {
      const { conditions, parameters } = filterSql(filters)
      if (conditions.length === 0) return keys
      const where = conditions.join(' AND ')
      const sql = `SELECT n.key FROM json_each(@keys) j CROSS JOIN ${NODE} WHERE n.key = j.value AND ${where}`
      return select(sql, { ...parameters, keys: listParameter(keys) })
    },
    hottest(limit) {
      const least = nth().get(limit)?.coldness ?? -Number.MAX_VALUE
      const rows = hotter().all({ space: spaceId, least })
      return rows
        .sort((a, b) => b.temperature - a.temperature || a.key - b.key)
        .slice(0, limit)
        .map(({ key }) => key)
    },
    nodeFacts: (keys) => facts().raw().all(listParameter(keys), spaceId).map(toFacts),
    surroundings,
    foundNodes: (keys) => found().all(listParameter(keys)),
    lineage,
  }
}

function keysSql(match: Match | null, { conditions }: FilterSql): string {
  const where = ['n.removed_in IS NULL', ...conditions].join(' AND ')
  return match
    ? `SELECT i.rowid FROM node_index i CROSS JOIN ${NODE} WHERE i.node_index MATCH @match AND n.key = i.rowid
         AND ${where} ORDER BY i.rowid DESC ${limitOf('@limit')}`
    : `SELECT n.key FROM ${NODE} WHERE ${where} ORDER BY n.key DESC ${limitOf('@limit')}`
}

function toFacts([key, type, tokens, documentId, temperature]: SqlFacts): NodeFacts {
  return { key, type, tokens, documentId, temperature }
}

function toSurrounding(row: SqlSurrounding): Surrounding {
  const [key, type, tokens, documentId, temperature, parentKey, , , previous, next] = row
  const headings: number[] = []
  const before = keysOf(previous, headings)
  const after = keysOf(next, headings)
  return {
    key,
    type,
    tokens,
    documentId,
    temperature,
    parentKey,
    above: aboveOf(row),
    before,
    after,
    headings,
  }
}

function aboveOf([, , , , , parentKey, secondKey, thirdKey]: SqlSurrounding): Surrounding['above'] {
  if (parentKey === null) return []
  const parent = { key: parentKey, parentKey: secondKey }
  return secondKey === null ? [parent] : [parent, { key: secondKey, parentKey: thirdKey }]
}

function keysOf(list: string | number | null | undefined, headings: number[]): number[] {
  if (list === null || list === undefined) return []
  return String(list)
    .split(',')
    .map((one) => {
      const key = Math.abs(Number(one))
      if (one.startsWith('-')) headings.push(key)
      return key
    })
}
