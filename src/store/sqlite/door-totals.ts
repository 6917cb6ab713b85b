import type { DocumentQuery, DocumentTotal, TotalOptions } from '../../core/port/documents.ts'
import { type Context, listParameter } from './context.ts'
import { attribute, countSql, doorSql, isCountedBy } from './door-query.ts'
import { limitOf, statementsByText } from './statements.ts'
import { TEXT_BYTES } from './text-bytes.ts'

type Select = DocumentQuery | { ids: readonly number[] }
type Value = Pick<DocumentTotal, 'value' | 'count'>

/** How many documents there are: told by what is kept of them where that says it, or else counted. */
export function doorTotals(context: Context) {
  const ask = statementsByText(context.db)
  const order = `GROUP BY 1 ORDER BY 2 DESC, 1 ${limitOf('@limit')}`

  /** Undefined: they must be counted. */
  function findCount(query: DocumentQuery): number | undefined {
    const counted = countSql(context, query)
    return counted && totalOf(`coalesce(sum(c.count), 0) AS count ${counted.from}`, counted.parameters).count
  }
  function totalOf(selected: string, parameters: Record<string, unknown>): DocumentTotal {
    const [total] = ask<Partial<DocumentTotal>>(`SELECT ${selected}`, parameters)
    return { value: null, count: 0, bytes: 0, ...total }
  }
  function countDocuments(query: DocumentQuery): number {
    const known = findCount(query)
    if (known !== undefined) return known
    const { from, parameters } = doorSql(context, query)
    return totalOf(`count(*) AS count ${from}`, parameters).count
  }
  function withBytes(select: Select): DocumentTotal {
    if ('ids' in select)
      return sized('(SELECT value AS id FROM json_each(@ids))', { ids: listParameter(select.ids) })
    const counted = select.kind === 'record' ? countSql(context, select) : undefined
    if (counted)
      return totalOf(
        `coalesce(sum(c.count), 0) AS count, coalesce(sum(c.bytes), 0) AS bytes ${counted.from}`,
        counted.parameters,
      )
    const { from, parameters } = doorSql(context, select)
    return sized(`(SELECT d.id ${from})`, parameters)
  }
  function sized(found: string, parameters: Record<string, unknown>): DocumentTotal {
    const selected = `count(*) AS count, coalesce(sum(${TEXT_BYTES}), 0) AS bytes`
    const tables = `${found} f CROSS JOIN documents d ON d.id = f.id LEFT JOIN texts t ON t.id = d.text_id`
    return totalOf(`${selected} FROM ${tables}`, parameters)
  }

  function countTags(query: DocumentQuery, limit: number): Value[] {
    const parameters = { owner: context.ownerId, kind: query.kind, limit }
    if (isTagCount(query) && !hasExpired(query))
      return ask<Value>(
        `SELECT tag AS value, count FROM tag_counts WHERE owner_id = @owner AND kind = @kind ORDER BY count DESC, tag ${limitOf('@limit')}`,
        parameters,
      )
    const { from, parameters: asked } = doorSql(context, query)
    return ask<Value>(
      `SELECT c.tag AS value, count(*) AS count FROM (SELECT d.id ${from}) f
       CROSS JOIN document_tags c ON c.document_id = f.id ${order}`,
      { ...asked, limit },
    )
  }
  /** Those whose time has come are counted until they are removed. */
  function hasExpired({ kind, notExpiredAt }: DocumentQuery): boolean {
    if (notExpiredAt === undefined) return false
    const { from, parameters } = doorSql(context, { kind, expiredAt: notExpiredAt })
    return ask(`SELECT 1 ${from} LIMIT 1`, parameters).length > 0
  }

  function countValues(query: DocumentQuery, by: NonNullable<TotalOptions['by']>, limit: number): Value[] {
    if (by === 'tag') return countTags(query, limit)
    const counted = isCountedBy(by) ? countSql(context, query) : undefined
    const { from, parameters } = counted ?? doorSql(context, query)
    // Counts have an empty text for none: so it is here.
    const selected = counted
      ? `nullif(c.${by}, '') AS value, sum(c.count)`
      : `nullif(${by === 'root' ? 'd.collection' : attribute(by)}, '') AS value, count(*)`
    return ask<Value>(`SELECT ${selected} AS count ${from} ${order}`, { ...parameters, limit })
  }

  return {
    findCount,
    countDocuments,
    totals(select: Select, { by, limit = -1, bytes }: TotalOptions = {}): DocumentTotal[] {
      if (bytes || 'ids' in select) return [withBytes(select)]
      if (by === undefined) return [{ value: null, count: countDocuments(select), bytes: 0 }]
      return countValues(select, by, limit).map((value) => ({ ...value, bytes: 0 }))
    },
  }
}

/** Whether it asks for what `tag_counts` has. */
function isTagCount({
  kind,
  states = ['live'],
  where = [],
  notExpiredAt: _,
  ...others
}: DocumentQuery): boolean {
  const isPlain = Object.values(others).every((condition) => condition === undefined)
  const isLive = states.length === 1 && states[0] === 'live'
  const [only, ...more] = where
  const isInUse = only?.attribute === 'archived' && only.in.length === 1 && only.in[0] === false
  return isPlain && isLive && more.length === 0 && (kind === 'key' ? !only : kind === 'record' && isInUse)
}
