import type { DocumentQuery, DocumentTotal, TotalOptions } from '../../../core/port/documents.ts'
import { isDoorCount, isTagCount } from '../../../core/rows/door-counts.ts'
import { type Context, listParameter } from '../database/context.ts'
import { limitOf, statements } from '../database/statements.ts'
import { attribute, countSql, type QuerySql, querySql } from './document-query.ts'
import { TEXT_BYTES, WITH_TEXT } from './document-texts.ts'

type Select = DocumentQuery | { ids: readonly number[] }
type By = TotalOptions['by']

/** Where totals are read, and as what. */
interface Source extends QuerySql {
  value: string
  count: string
  bytes: string
}

/** How many documents there are: from the kept counts where they suffice, otherwise counted. */
export function documentTotals(context: Context) {
  const ask = statements(context.db)

  function sourceOf(select: Select, by: By, bytes: boolean): Source {
    if ('ids' in select) {
      const from = `FROM json_each(@ids) j CROSS JOIN documents d ON d.id = j.value ${WITH_TEXT}`
      return counted({ from, parameters: { ids: listParameter(select.ids) } }, by, bytes)
    }
    if (by === 'tag' && isTagCount(select) && !hasExpired(select))
      return {
        from: 'FROM tag_counts WHERE owner_id = @owner AND kind = @kind',
        parameters: { owner: context.ownerId, kind: select.kind },
        ...{ value: 'tag', count: 'sum(count)', bytes: '0' },
      }
    // Bytes are counted for records only.
    if (isDoorCount(select, by) && (!bytes || select.kind === 'record'))
      return {
        ...countSql(context, select),
        ...{ value: by ? `nullif(c.${by}, '')` : 'NULL', count: 'sum(c.count)', bytes: 'sum(c.bytes)' },
      }
    const tags = by === 'tag' ? 'CROSS JOIN document_tags c ON c.document_id = d.id' : ''
    return counted(querySql(context, select, bytes ? WITH_TEXT : tags), by, bytes)
  }
  function counted(found: QuerySql, by: By, bytes: boolean): Source {
    return { ...found, value: valueSql(by), count: 'count(*)', bytes: bytes ? `sum(${TEXT_BYTES})` : '0' }
  }
  /** Expired ones are counted until they are removed. */
  function hasExpired({ kind, notExpiredAt }: DocumentQuery): boolean {
    if (notExpiredAt === undefined) return false
    const { from, parameters } = querySql(context, { kind, expiredAt: notExpiredAt })
    return ask(`SELECT 1 ${from} LIMIT 1`, parameters).length > 0
  }

  return {
    totals(select: Select, options: TotalOptions = {}): DocumentTotal[] {
      const { limit = -1, bytes = false } = options
      const by = bytes ? undefined : options.by
      const source = sourceOf(select, by, bytes)
      const columns = `${source.value} AS value, coalesce(${source.count}, 0) AS count, ${bytes ? `coalesce(${source.bytes}, 0)` : 0} AS bytes`
      const groups = by === undefined ? '' : `GROUP BY 1 ORDER BY 2 DESC, 1 ${limitOf('@limit')}`
      return ask(`SELECT ${columns} ${source.from} ${groups}`, { ...source.parameters, limit })
    },
    /** Which types of records there are, archived or not; none where that is not kept. */
    findClasses(query: DocumentQuery): { archived: string | number; type: string | number }[] {
      const { from, parameters } = countSql(context, query)
      return isDoorCount(query) ? ask(`SELECT DISTINCT c.archived, c.type ${from}`, parameters) : []
    },
  }
}

/** An empty text counts as none. */
function valueSql(by: By): string {
  if (by === undefined) return 'NULL'
  return by === 'tag' ? 'c.tag' : `nullif(${by === 'root' ? 'd.collection' : attribute(by)}, '')`
}
