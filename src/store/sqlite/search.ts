import type { Statement } from 'better-sqlite3'
import type { Filters } from '../../core/find/query-model.ts'
import type { NodeType } from '../../core/model.ts'
import type { FoundRow, LineageRow, Match, SearchReads, Surrounding } from '../../core/store-search.ts'
import { type Context, listParameter } from './context.ts'
import { EFFECTIVE_HEAT } from './heat.ts'
import { matchText } from './match-text.ts'
import { SHOWN_NAME } from './rows.ts'
import { type FilterSql, filterSql } from './search-filters.ts'
import { limitOf, type Sync, statement } from './statements.ts'

interface SqlSurrounding {
  key: number
  parentKey: number | null
  type: NodeType
  tokens: number
  temperature: number
  before: string | null
  after: string | null
}

/** Statements for combinations of filters that are kept: with up to 32 tags there are thousands. */
const MAX_FILTERED = 64

const NODE = 'nodes n CROSS JOIN documents d ON d.id = n.document_id'

/**
 * Siblings from one end on, as a list of keys. Removed nodes have no parent and an empty position: they are no siblings,
 * and the index alone tells.
 */
function siblings(comparison: '<' | '>', order: 'ASC' | 'DESC'): string {
  const side = (of: string): string =>
    `SELECT group_concat(key) FROM (SELECT b.key FROM nodes b WHERE ${of} AND b.position ${comparison} n.position
       ORDER BY b.position ${order} ${limitOf('@reach')})`
  return `CASE WHEN n.parent_key IS NULL
    THEN (${side(`b.document_id = n.document_id AND b.parent_key IS NULL AND b.position > ''`)})
    ELSE (${side('b.parent_key = n.parent_key')}) END`
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
  const around = (before: string, after: string) =>
    statement<[{ keys: string; reach: number; space: number }], SqlSurrounding>(
      db,
      `SELECT n.key, n.parent_key AS parentKey, n.type, n.tokens, ${EFFECTIVE_HEAT} AS temperature,
         ${before} AS before, ${after} AS after
       FROM spaces s, json_each(@keys) j CROSS JOIN nodes n ON n.key = j.value CROSS JOIN heat h ON h.node_key = n.key
       WHERE s.id = @space AND @reach >= 0`,
    )
  const alone = around('NULL', 'NULL')
  const amongSiblings = around(siblings('<', 'DESC'), siblings('>', 'ASC'))
  const found = statement<[string], FoundRow>(
    db,
    `SELECT n.key, n.id, n.parent_key AS parentKey, n.type, n.label, n.tokens, ${SHOWN_NAME} AS source, coalesce(t.body, '') AS text
     FROM json_each(?) j CROSS JOIN ${NODE} LEFT JOIN texts t ON t.id = n.text_id WHERE n.key = j.value`,
  )
  const places = statement<[string], LineageRow>(
    db,
    'SELECT n.key, n.parent_key AS parentKey, n.label FROM json_each(?) j CROSS JOIN nodes n ON n.key = j.value',
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
    surroundings: (keys, reach) =>
      (reach === 0 ? alone() : amongSiblings())
        .all({ keys: listParameter(keys), reach, space: spaceId })
        .map(toSurrounding),
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

function toSurrounding({
  key,
  parentKey,
  type,
  tokens,
  temperature,
  before,
  after,
}: SqlSurrounding): Surrounding {
  return { key, parentKey, type, tokens, temperature, before: toKeys(before), after: toKeys(after) }
}

function toKeys(list: string | null): number[] {
  return list === null ? [] : list.split(',').map(Number)
}
