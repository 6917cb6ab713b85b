import type { DoorPage, DoorQuery, DoorSortKey, QueryAttribute } from '../../core/store-doors.ts'
import { type Context, listParameter } from './context.ts'
import { fromAddress } from './rows.ts'
import { limitOf } from './statements.ts'

type Parameters = Record<string, string | number>

export interface DoorSql {
  /** `FROM … WHERE …` over documents `d` and accesses `a`. */
  from: string
  parameters: Parameters
}

const ACCESSED = 'coalesce(a.accessed_at, d.created_at)'
const TIMES = {
  created: 'd.created_at',
  updated: 'd.updated_at',
  accessed: ACCESSED,
  completed_at: attribute('completed_at'),
} as const

const SORTS: Record<DoorSortKey, string> = {
  name: 'd.name',
  id: 'd.id',
  ...TIMES,
  accesses: 'coalesce(a.count, 0)',
  importance: `CASE ${attribute('importance')} WHEN 'high' THEN 3 WHEN 'medium' THEN 2 ELSE 1 END`,
}

/** An attribute of `d`; the name is one of ours, never a caller's. */
export function attribute(name: QueryAttribute): string {
  return `d.attributes ->> '$.${name}'`
}

/** Documents of one door that fit a query. The SQL depends on its shape only: values are parameters. */
export function doorSql({ spaceId, ownerId }: Context, query: DoorQuery): DoorSql {
  const parameters: Parameters = { space: spaceId, owner: ownerId, kind: query.kind }
  const tables: string[] = []
  // Records are found by what they are (`documents_by_type`): the index of addresses would look at all of them.
  const space = query.kind === 'record' ? '+d.space_id' : 'd.space_id'
  const conditions = [`${space} = @space`, 'd.owner_id = @owner', `d.kind = '${query.kind}'`]
  // Only files have collections. Saying so lets an index give keys by their names.
  if (query.kind === 'key') conditions.push(`d.collection = ''`)
  const add = (name: string, value: string | number, condition: string): void => {
    parameters[name] = value
    conditions.push(condition)
  }
  const [tag, ...others] = query.tags ?? []
  if (tag === undefined) tables.push('documents d')
  else {
    tables.push('document_tags g CROSS JOIN documents d ON d.id = g.document_id')
    add('tag', tag, 'g.tag = @tag')
  }
  tables.push('LEFT JOIN document_accesses a ON a.document_id = d.id')
  for (const [at, one] of others.entries())
    add(
      `tag${at}`,
      one,
      `EXISTS (SELECT 1 FROM document_tags o WHERE o.tag = @tag${at} AND o.document_id = d.id)`,
    )
  addStates(query, add)
  addNames(query, add)
  addAttributes(query, add)
  addTimes(query, add)
  if (query.contains !== undefined) {
    tables.push('LEFT JOIN texts b ON b.id = d.text_id')
    add('contains', query.contains.toLowerCase(), `has_text(coalesce(b.body, ''), @contains)`)
  }
  return { from: `FROM ${tables.join(' ')} WHERE ${conditions.join(' AND ')}`, parameters }
}

type Add = (name: string, value: string | number, condition: string) => void

function addStates({ states = ['live'] }: DoorQuery, add: Add): void {
  const [only, ...more] = states
  if (only !== undefined && more.length === 0) add('state', only, 'd.state = @state')
  else add('states', listParameter(states), 'd.state IN (SELECT value FROM json_each(@states))')
}

function addNames({ memory, under, after }: DoorQuery, add: Add): void {
  if (memory) {
    const [collection] = fromAddress({ kind: 'file', ...memory, path: '' })
    add('collection', collection, 'd.collection = @collection')
  }
  if (under !== undefined && under !== '')
    if (memory)
      // `0` is what comes after `/`: names that only begin like the path are not looked at.
      add('scope', under, `d.name > @scope || '/' AND d.name < @scope || '0'`)
    else add('under', under, `substr(d.name, 1, length(@under)) = @under`)
  if (after && 'name' in after) add('after', after.name, 'd.name > @after')
  if (after && 'id' in after) add('after', after.id, 'd.id > @after')
}

function addAttributes({ where = [] }: DoorQuery, add: Add): void {
  for (const [at, { attribute: name, in: values }] of where.entries()) {
    const some = values
      .filter((value) => value !== null)
      .map((value) => (Number(value) === value ? value : plain(value)))
    const isMissing = values.includes(null) ? `${attribute(name)} IS NULL OR ` : ''
    const [only, ...more] = some
    const test =
      only !== undefined && more.length === 0
        ? `= @where${at}`
        : `IN (SELECT value FROM json_each(@where${at}))`
    const value = only !== undefined && more.length === 0 ? only : listParameter(some)
    add(`where${at}`, value, `(${isMissing}${attribute(name)} ${test})`)
  }
}

/** As `->>` gives it: true is 1. */
function plain(value: string | number | boolean): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

function addTimes({ notExpiredAt, expiredAt, since, until }: DoorQuery, add: Add): void {
  const expires = attribute('expires_at')
  if (notExpiredAt !== undefined)
    add('notExpiredAt', notExpiredAt, `(${expires} IS NULL OR ${expires} > @notExpiredAt)`)
  if (expiredAt !== undefined) add('expiredAt', expiredAt, `${expires} <= @expiredAt`)
  if (since) add('since', since.at, `(${since.any.map((time) => `${TIMES[time]} >= @since`).join(' OR ')})`)
  if (until) add('until', until.at, until.all.map((time) => `${TIMES[time]} <= @until`).join(' AND '))
}

/** `ORDER BY … LIMIT …`; what is equal in all of it comes in the order it was made, or the reverse. */
export function pageSql({ sort, limit, offset = 0 }: DoorPage): { order: string; parameters: Parameters } {
  const terms = sort.map(({ by, descending }) => `${SORTS[by]}${descending ? ' DESC' : ''}`)
  const last = sort.at(-1)?.descending ? 'd.id DESC' : 'd.id'
  return {
    order: `ORDER BY ${[...terms, last].join(', ')} ${limitOf('@limit')} OFFSET CAST(@offset AS INTEGER)`,
    parameters: { limit, offset },
  }
}
