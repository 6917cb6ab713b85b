import type { DocumentPage, DocumentQuery } from '../../core/port/documents.ts'
import type { Context } from './context.ts'
import { countSql, doorSql, LIMITS, type Parameters, pageSql } from './door-query.ts'
import { isOfClass, placeOf, type Walk, walksOf } from './door-walks.ts'
import { statementsByText } from './statements.ts'

/** More than there ever are; an import may bring others. */
const MAX_CLASSES = 8

interface RecordClass {
  archived: string | number
  type: string | number
}

/** Which documents are on a page. */
export function doorPages(context: Context) {
  const ask = statementsByText(context.db)

  function plainIds(query: DocumentQuery, page: DocumentPage): number[] {
    const { from, parameters } = doorSql(context, query)
    const { order, parameters: limits } = pageSql(query, page)
    const rows = ask<{ id: number }>(`SELECT d.id ${from} ${order}`, { ...parameters, ...limits })
    return rows.map(({ id }) => id)
  }

  /** Each of them is in order by itself; undefined: not all records are of one. */
  function findClasses(query: DocumentQuery): RecordClass[] | undefined {
    const counted = countSql(context, { kind: 'record', where: (query.where ?? []).filter(isOfClass) })
    if (!counted) return undefined
    const { from, parameters } = counted
    const classes = ask<RecordClass>(`SELECT DISTINCT c.archived, c.type ${from}`, parameters)
    const isKnown = classes.every(({ archived, type }) => archived !== '' && type !== '')
    return isKnown && classes.length <= MAX_CLASSES ? classes : undefined
  }

  /** Goes through all pieces in order, all at the same time, until the page is full. */
  function walkedIds({ pieces }: Walk, classes: readonly RecordClass[], page: DocumentPage): number[] {
    const { limit, offset = 0 } = page
    const parameters: Parameters = { limit, offset }
    const { place, direction } = placeOf(page)
    const parts = pieces.flatMap(({ query, index, also, byClass }) => {
      const { from, parameters: asked } = doorSql(context, query, { index })
      Object.assign(parameters, asked)
      const part = `SELECT d.id AS id, ${place} AS place ${[from, ...also].join(' AND ')}`
      return byClass ? classes.map((one, at) => `${part} AND ${ofClass(one, at, parameters)}`) : part
    })
    const order = `ORDER BY place${direction}, id${direction} ${LIMITS}`
    return parts.length === 0
      ? []
      : ask<{ id: number }>(`${parts.join(' UNION ALL ')} ${order}`, parameters).map(({ id }) => id)
  }

  return {
    idsOf(query: DocumentQuery, page: DocumentPage): number[] {
      const walks = walksOf(query, page)
      const classes = walks.length > 0 ? findClasses(query) : undefined
      for (const walk of classes ? walks : []) {
        const ids = walkedIds(walk, classes ?? [], page)
        if (walk.isWhole || ids.length === page.limit) return ids
      }
      return plainIds(query, page)
    },
    /** With how many there are on all pages, in one go; undefined: no row of an empty page tells. */
    countedIdsOf(query: DocumentQuery, page: DocumentPage): { ids: number[]; total: number | undefined } {
      const { from, parameters } = doorSql(context, query)
      const { order, parameters: limits } = pageSql(query, page)
      const rows = ask<{ id: number; total: number }>(
        `SELECT d.id, count(*) OVER () AS total ${from} ${order}`,
        { ...parameters, ...limits },
      )
      const isCut = Boolean(page.offset) || page.limit === 0
      return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? (isCut ? undefined : 0) }
    },
  }
}

function ofClass({ archived, type }: RecordClass, at: number, parameters: Parameters): string {
  Object.assign(parameters, { [`archived${at}`]: archived, [`type${at}`]: type })
  return `d.attributes ->> '$.archived' = @archived${at} AND d.attributes ->> '$.type' = @type${at}`
}
