import type { DoorQuery, QueryAttribute } from '../../core/port/doors.ts'
import type { Context } from './context.ts'
import { attribute, countSql, doorSql, isCountedBy } from './door-query.ts'
import { limitOf, statementsByText } from './statements.ts'
import { TEXT_BYTES } from './text-bytes.ts'

export interface Value {
  value: string | null
  count: number
}

/** How many documents there are: told by what is kept of them where that says it, or else counted. */
export function doorTotals(context: Context) {
  const ask = statementsByText(context.db)
  const order = `GROUP BY 1 ORDER BY 2 DESC, 1 ${limitOf('@limit')}`

  /** Undefined: they must be counted. */
  function findCount(query: DoorQuery): number | undefined {
    const counted = countSql(context, query)
    return counted && sumOf(`coalesce(sum(c.count), 0) AS sum ${counted.from}`, counted.parameters)
  }
  function sumOf(selected: string, parameters: Record<string, unknown>): number {
    return ask<{ sum: number }>(`SELECT ${selected}`, parameters)[0]?.sum ?? 0
  }

  function countTags(query: DoorQuery, limit: number): Value[] {
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
  function hasExpired({ kind, notExpiredAt }: DoorQuery): boolean {
    if (notExpiredAt === undefined) return false
    const { from, parameters } = doorSql(context, { kind, expiredAt: notExpiredAt })
    return ask(`SELECT 1 ${from} LIMIT 1`, parameters).length > 0
  }

  return {
    findCount,
    countDoorDocuments(query: DoorQuery): number {
      const known = findCount(query)
      if (known !== undefined) return known
      const { from, parameters } = doorSql(context, query)
      return sumOf(`count(*) AS sum ${from}`, parameters)
    },
    countDoorValues(query: DoorQuery, by: QueryAttribute | 'tag', limit = -1): Value[] {
      if (by === 'tag') return countTags(query, limit)
      const counted = isCountedBy(by) ? countSql(context, query) : undefined
      const { from, parameters } = counted ?? doorSql(context, query)
      // Counts have an empty text for none: so it is here.
      const selected = counted
        ? `nullif(c.${by}, '') AS value, sum(c.count)`
        : `nullif(${attribute(by)}, '') AS value, count(*)`
      return ask<Value>(`SELECT ${selected} AS count ${from} ${order}`, { ...parameters, limit })
    },
    doorBytes(query: DoorQuery): number {
      const counted = query.kind === 'record' ? countSql(context, query) : undefined
      if (counted) return sumOf(`coalesce(sum(c.bytes), 0) AS sum ${counted.from}`, counted.parameters)
      const { from, parameters } = doorSql(context, query)
      return sumOf(
        `coalesce(sum(${TEXT_BYTES}), 0) AS sum
         FROM (SELECT d.id ${from}) f CROSS JOIN documents d ON d.id = f.id LEFT JOIN texts t ON t.id = d.text_id`,
        parameters,
      )
    },
  }
}

/** Whether it asks for what `tag_counts` has. */
function isTagCount({ kind, states = ['live'], where = [], notExpiredAt: _, ...others }: DoorQuery): boolean {
  const isPlain = Object.values(others).every((condition) => condition === undefined)
  const isLive = states.length === 1 && states[0] === 'live'
  const [only, ...more] = where
  const isInUse = only?.attribute === 'archived' && only.in.length === 1 && only.in[0] === false
  return isPlain && isLive && more.length === 0 && (kind === 'key' ? !only : kind === 'record' && isInUse)
}
