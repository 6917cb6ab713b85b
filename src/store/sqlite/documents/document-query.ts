import { placeOf } from '../../../core/address.ts'
import type { Expression } from '../../../core/find/query/query-model.ts'
import type {
  DocumentPage,
  DocumentQuery,
  DocumentSortKey,
  QueryAttribute,
} from '../../../core/port/documents.ts'
import { plain } from '../../../core/rows/door-counts.ts'
import { type Context, listParameter } from '../database/context.ts'
import { inScope } from '../database/rows.ts'
import { matchText } from '../search/match-text.ts'

export interface QuerySql {
  /** `FROM … WHERE …`. */
  from: string
  parameters: Record<string, string | number>
}

const TIMES = {
  created: 'd.created_at',
  updated: 'd.updated_at',
  accessed: 'coalesce(d.accessed_at, d.created_at)',
  completed_at: attribute('completed_at'),
} as const

export const SORTS: Record<DocumentSortKey, string> = {
  name: 'd.name',
  id: 'd.id',
  ...TIMES,
  accesses: 'd.accesses',
  expires_at: attribute('expires_at'),
  importance: `CASE ${attribute('importance')} WHEN 'high' THEN 3 WHEN 'medium' THEN 2 ELSE 1 END`,
}

/** An attribute of `d`; the name is one of ours, never a caller's. */
export function attribute(name: QueryAttribute): string {
  return `d.attributes ->> '$.${name}'`
}

/** Within a tag, documents are in this order. With a plus SQLite does not go through all of them in it: few have expired. */
function idOf({ tags = [], expiredAt }: DocumentQuery): string {
  if (tags.length > 0) return 'g.document_id'
  return expiredAt === undefined ? 'd.id' : '+d.id'
}

/** What is equal in all of it comes in the order it was made, or the reverse. */
export function orderOf(query: DocumentQuery, sort: DocumentPage['sort']): string {
  const terms = sort.filter(({ by }) => by !== 'id').map(({ by, descending }) => term(SORTS[by], descending))
  return `ORDER BY ${[...terms, term(idOf(query), sort.at(-1)?.descending)].join(', ')}`
}

function term(expression: string, descending = false): string {
  return descending ? `${expression} DESC` : expression
}

/**
 * The documents `d` of a query, beside what is joined to each. The SQL depends on the query's shape only: values are parameters. An
 * expression is written as it is in an index, or SQLite does not use that.
 */
export function querySql({ spaceId, ownerId }: Context, query: DocumentQuery, join = ''): QuerySql {
  const { kind, tags = [], expiredAt, words } = query
  const where = conditions({ space: spaceId, owner: ownerId })
  where.add(`d.owner_id = @owner AND d.kind = '${kind}' AND ${stateIn('d', query)}`)
  // Records are found by what they are, what expires by its time, a client's keys by the client, others by their address. An owner has
  // one space in any case.
  const isNamed = query.name !== undefined
  const isByAddress = kind !== 'record' && expiredAt === undefined && !isOfClient(query)
  if (isByAddress || isNamed) where.add('d.space_id = @space')
  // Only files have collections. Saying so lets an index give keys and records by their names.
  if (kind === 'key' || isNamed) where.add(`d.collection = ''`)
  let tables = 'documents d'
  if (words) {
    for (const at of words.units.keys()) where.set(`word${at}`, matchText({ ...words, expression: at }))
    tables = `(SELECT DISTINCT * FROM (${havingWords(words.expression)})) w CROSS JOIN documents d ON d.id = w.document_id`
  }
  const [tag, ...others] = tags
  if (tag !== undefined) {
    tables = 'document_tags g CROSS JOIN documents d ON d.id = g.document_id'
    where.add('g.tag = @tag', { tag })
    if (words) where.add(`d.id IN (${havingWords(words.expression)})`)
  }
  for (const [at, other] of others.entries())
    where.add(`EXISTS (SELECT 1 FROM document_tags o WHERE o.tag = @tag${at} AND o.document_id = d.id)`, {
      [`tag${at}`]: other,
    })
  addNames(query, where)
  addAttributes(query, where, attribute)
  addTimes(query, where)
  if (query.hasNodes)
    where.add('EXISTS (SELECT 1 FROM nodes n WHERE n.document_id = d.id AND n.removed_in IS NULL)')
  if (query.wasAccessed) where.add('d.accesses > 0')
  return where.from(`${tables} ${join}`)
}

function isOfClient({ where = [] }: DocumentQuery): boolean {
  return where.some(({ attribute: name }) => name === 'client')
}

/** The rows of `door_counts` that are about the documents of a query that they count (`isDoorCount`). */
export function countSql({ ownerId }: Context, query: DocumentQuery): QuerySql {
  const where = conditions({ owner: ownerId })
  where.add(`c.owner_id = @owner AND c.kind = '${query.kind}' AND ${stateIn('c', query)}`)
  addAttributes(query, where, (name) => `c.${name}`)
  return where.from('door_counts c')
}

type Conditions = ReturnType<typeof conditions>

function conditions(parameters: QuerySql['parameters']) {
  const all: string[] = []
  return {
    set(name: string, value: string | number): void {
      parameters[name] = value
    },
    add(condition: string, values: QuerySql['parameters'] = {}): void {
      all.push(condition)
      Object.assign(parameters, values)
    },
    from: (tables: string): QuerySql => ({ from: `FROM ${tables} WHERE ${all.join(' AND ')}`, parameters }),
  }
}

/** How many there are. */
const STATES = 3

/** As an index has it: it may be of live documents only. */
function stateIn(table: string, { states = ['live'] }: DocumentQuery): string {
  if (new Set(states).size === STATES) return 'TRUE'
  const some = states.map((state) => `'${state}'`)
  return some.length === 1 ? `${table}.state = ${some}` : `${table}.state IN (${some})`
}

/** The ids of documents that have words. */
function havingWords(part: Expression): string {
  if (typeof part === 'number')
    return `SELECT n.document_id FROM node_index i CROSS JOIN nodes n ON n.key = i.rowid WHERE i.node_index MATCH @word${part}`
  const joined = (parts: readonly Expression[], operator: string): string =>
    parts.map((one) => `SELECT * FROM (${havingWords(one)})`).join(` ${operator} `)
  if ('of' in part) return joined([part.of, part.without], 'EXCEPT')
  const found = 'or' in part ? joined(part.or, 'UNION') : joined(part.and, 'INTERSECT')
  return found || 'SELECT NULL AS document_id WHERE FALSE'
}

function addNames(query: DocumentQuery, where: Conditions): void {
  const { root, scope, memory, under, name, after } = query
  const collection = memory ? placeOf({ kind: 'file', ...memory, path: '' }).collection : root
  if (collection !== undefined) where.add('d.collection = @collection', { collection })
  if (scope) where.add(inScope('d.name'), { scope })
  // `0` is what comes after `/`: names that only begin like the path are not looked at.
  if (under) where.add(`d.name > @under || '/' AND d.name < @under || '0'`, { under })
  if (name !== undefined) where.add('d.name = @name', { name })
  if (after && 'name' in after) where.add('d.name > @after', { after: after.name })
  if (after && 'id' in after) where.add(`${idOf(query)} > @after`, { after: after.id })
}

function addAttributes(
  { where: asked = [] }: DocumentQuery,
  where: Conditions,
  sqlOf: (name: QueryAttribute) => string,
): void {
  for (const [at, { attribute: name, in: values }] of asked.entries()) {
    const some = values.filter((value) => value !== null).map(plain)
    const isMissing = values.includes(null) ? `${sqlOf(name)} IS NULL OR ` : ''
    const [only] = some
    const isOne = only !== undefined && some.length === 1
    const test = isOne ? `= @where${at}` : `IN (SELECT value FROM json_each(@where${at}))`
    where.add(`(${isMissing}${sqlOf(name)} ${test})`, { [`where${at}`]: isOne ? only : listParameter(some) })
  }
}

function addTimes({ notExpiredAt, expiredAt, since, until }: DocumentQuery, where: Conditions): void {
  const expires = attribute('expires_at')
  if (notExpiredAt !== undefined)
    where.add(`(${expires} IS NULL OR ${expires} > @notExpiredAt)`, { notExpiredAt })
  if (expiredAt !== undefined) where.add(`${expires} IS NOT NULL AND ${expires} <= @expiredAt`, { expiredAt })
  const each = (times: readonly (keyof typeof TIMES)[], test: string, operator: string): string =>
    `(${times.map((time) => `${TIMES[time]} ${test}`).join(operator)})`
  if (since) where.add(each(since.any, '>= @since', ' OR '), { since: since.at })
  if (until) where.add(each(until.all, '<= @until', ' AND '), { until: until.at })
}
