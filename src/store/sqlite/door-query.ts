import type { Expression } from '../../core/find/query-model.ts'
import type {
  DocumentPage,
  DocumentQuery,
  DocumentSortKey,
  QueryAttribute,
} from '../../core/port/documents.ts'
import type { Match } from '../../core/port/search.ts'
import { COUNTED_ATTRIBUTES, isCountedKind } from '../../core/write/door-counts.ts'
import { type Context, listParameter } from './context.ts'
import { matchText } from './match-text.ts'
import { fromAddress, inScope } from './rows.ts'
import { limitOf } from './statements.ts'

export type Parameters = Record<string, string | number>

export interface DoorSql {
  /** `FROM … WHERE …` over documents `d`; with tags, over `g` too. */
  from: string
  parameters: Parameters
}

export const TIMES = {
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

/**
 * Documents of one kind that fit a query. The SQL depends on its shape only: values are parameters. `index` is the one to go
 * through; SQLite knows too little of the documents to choose it. `join`: what else is read of each.
 */
export function doorSql(
  { spaceId, ownerId }: Context,
  query: DocumentQuery,
  {
    index = query.expiredAt === undefined ? undefined : 'documents_by_expiry',
    join = '',
  }: { index?: string | undefined; join?: string | undefined } = {},
): DoorSql {
  const parameters: Parameters = { space: spaceId, owner: ownerId }
  const tables: string[] = []
  const conditions = ['d.owner_id = @owner', `d.kind = '${query.kind}'`]
  // Records are found by what they are (`records_by_access`), others by their address. An owner has one space in any case.
  if (query.kind !== 'record') conditions.push('d.space_id = @space')
  // Only files have collections. Saying so lets an index give keys by their names.
  if (query.kind === 'key') conditions.push(`d.collection = ''`)
  const add = (name: string, value: string | number, condition: string): void => {
    parameters[name] = value
    conditions.push(condition)
  }
  const [tag, ...others] = query.tags ?? []
  const words = query.words && wordsSql(query.words)
  if (words && tag === undefined) {
    tables.push(
      `(SELECT DISTINCT document_id FROM (${words.found})) w CROSS JOIN documents d ON d.id = w.document_id`,
    )
  } else if (tag === undefined) tables.push(`documents d${index === undefined ? '' : ` INDEXED BY ${index}`}`)
  else {
    tables.push('document_tags g CROSS JOIN documents d ON d.id = g.document_id')
    add('tag', tag, 'g.tag = @tag')
  }
  for (const [at, one] of others.entries())
    add(
      `tag${at}`,
      one,
      `EXISTS (SELECT 1 FROM document_tags o WHERE o.tag = @tag${at} AND o.document_id = d.id)`,
    )
  conditions.push(stateIn(query))
  addNames(query, add)
  addAttributes(query, add)
  addTimes(query, add)
  if (query.hasNodes)
    conditions.push('EXISTS (SELECT 1 FROM nodes n WHERE n.document_id = d.id AND n.removed_in IS NULL)')
  if (query.wasAccessed) conditions.push('d.accesses > 0')
  if (words) {
    Object.assign(parameters, words.parameters)
    conditions.push(words.condition)
  }
  return { from: `FROM ${tables.join(' ')} ${join} WHERE ${conditions.join(' AND ')}`, parameters }
}

/** Documents that have words: `found` gives some more than these, to begin with; `condition` tells of each. */
function wordsSql({ units, expression }: Match) {
  const parameters: Parameters = {}
  const having = (at: number): string => {
    parameters[`word${at}`] = matchText({ units, expression: at })
    return `SELECT n.document_id FROM node_index i CROSS JOIN nodes n ON n.key = i.rowid WHERE i.node_index MATCH @word${at}`
  }
  const found = (part: Expression): string => {
    if (typeof part === 'number') return having(part)
    if ('of' in part) return found(part.of)
    if ('or' in part && part.or.length === 0) return 'SELECT NULL AS document_id WHERE FALSE'
    return 'or' in part ? part.or.map(found).join(' UNION ALL ') : found(part.and[0] as Expression)
  }
  const condition = (part: Expression): string => {
    if (typeof part === 'number') return `d.id IN (${having(part)})`
    if ('of' in part) return `(${condition(part.of)} AND NOT ${condition(part.without)})`
    const [parts, operator] = 'or' in part ? [part.or, ' OR '] : [part.and, ' AND ']
    return parts.length === 0 ? 'FALSE' : `(${parts.map(condition).join(operator)})`
  }
  return { found: found(expression), condition: condition(expression), parameters }
}

type Add = (name: string, value: string | number, condition: string) => void

/** How many there are. */
const STATES = 3

/** As it stands there: an index may be of live documents only. */
function stateIn({ states = ['live'] }: DocumentQuery, table = 'd'): string {
  if (new Set(states).size === STATES) return 'TRUE'
  const [first, ...more] = states.map((state) => `'${state}'`)
  return more.length === 0
    ? `${table}.state = ${first}`
    : `${table}.state IN (${[first, ...more].join(', ')})`
}

function addNames({ root, scope, memory, under, after, tags = [] }: DocumentQuery, add: Add): void {
  if (root !== undefined) add('root', root, 'd.collection = @root')
  if (scope) add('scope', scope, inScope('d.name'))
  if (memory) {
    const [collection] = fromAddress({ kind: 'file', ...memory, path: '' })
    add('collection', collection, 'd.collection = @collection')
  }
  if (under !== undefined && under !== '')
    if (memory)
      // `0` is what comes after `/`: names that only begin like the path are not looked at.
      add('folder', under, `d.name > @folder || '/' AND d.name < @folder || '0'`)
    else add('under', under, `substr(d.name, 1, length(@under)) = @under`)
  if (after && 'name' in after) add('after', after.name, 'd.name > @after')
  if (after && 'id' in after) add('after', after.id, `${tags.length > 0 ? 'g.document_id' : 'd.id'} > @after`)
}

function addAttributes({ where = [] }: DocumentQuery, add: Add, sqlOf = attribute): void {
  for (const [at, { attribute: name, in: values }] of where.entries()) {
    const some = values
      .filter((value) => value !== null)
      .map((value) => (Number(value) === value ? value : plain(value)))
    const isMissing = values.includes(null) ? `${sqlOf(name)} IS NULL OR ` : ''
    const [only, ...more] = some
    const test =
      only !== undefined && more.length === 0
        ? `= @where${at}`
        : `IN (SELECT value FROM json_each(@where${at}))`
    const value = only !== undefined && more.length === 0 ? only : listParameter(some)
    add(`where${at}`, value, `(${isMissing}${sqlOf(name)} ${test})`)
  }
}

/** As `->>` gives it: true is 1. */
function plain(value: string | number | boolean): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

function addTimes({ notExpiredAt, expiredAt, since, until }: DocumentQuery, add: Add): void {
  const expires = attribute('expires_at')
  if (notExpiredAt !== undefined)
    add('notExpiredAt', notExpiredAt, `(${expires} IS NULL OR ${expires} > @notExpiredAt)`)
  if (expiredAt !== undefined)
    add('expiredAt', expiredAt, `${expires} IS NOT NULL AND ${expires} <= @expiredAt`)
  if (since) add('since', since.at, `(${since.any.map((time) => `${TIMES[time]} >= @since`).join(' OR ')})`)
  if (until) add('until', until.at, until.all.map((time) => `${TIMES[time]} <= @until`).join(' AND '))
}

/** `ORDER BY … LIMIT …`; what is equal in all of it comes in the order it was made, or the reverse. */
export function pageSql(
  { tags = [] }: DocumentQuery,
  { sort, limit, offset = 0 }: DocumentPage,
): { order: string; parameters: Parameters } {
  // The tags of documents are in this order already.
  const id = tags.length > 0 ? 'g.document_id' : 'd.id'
  const terms = sort
    .filter(({ by }) => by !== 'id')
    .map(({ by, descending }) => `${SORTS[by]}${descending ? ' DESC' : ''}`)
  const last = `${id}${sort.at(-1)?.descending ? ' DESC' : ''}`
  return {
    order: `ORDER BY ${[...terms, last].join(', ')} ${LIMITS}`,
    parameters: { limit, offset },
  }
}

export const LIMITS = `${limitOf('@limit')} OFFSET CAST(@offset AS INTEGER)`

/** The rows of `door_counts` that are about the documents of a query; undefined: it asks for more than they tell. */
export function countSql({ ownerId }: Context, query: DocumentQuery): DoorSql | undefined {
  if (!isCounted(query)) return undefined
  const parameters: Parameters = { owner: ownerId }
  const conditions = ['c.owner_id = @owner', `c.kind = '${query.kind}'`, stateIn(query, 'c')]
  const add: Add = (name, value, condition) => {
    parameters[name] = value
    conditions.push(condition)
  }
  addAttributes(query, add, (name) => `c.${name}`)
  return { from: `FROM door_counts c WHERE ${conditions.join(' AND ')}`, parameters }
}

/** Only by what is counted, and by what is there. */
function isCounted({ kind, states = ['live'], where = [], ...others }: DocumentQuery): boolean {
  return (
    isCountedKind(kind) &&
    !states.includes('removed') &&
    Object.values(others).every((condition) => condition === undefined) &&
    where.every(
      ({ attribute: name, in: values }) =>
        isCountedBy(name) && !values.includes(null) && !values.includes(''),
    )
  )
}

export function isCountedBy(name: string): name is (typeof COUNTED_ATTRIBUTES)[number] {
  return COUNTED_ATTRIBUTES.some((one) => one === name)
}
