import type { ColdPage, ColdRow } from '../../core/port/heat.ts'
import type { Context } from './context.ts'
import { EFFECTIVE_HEAT } from './heat.ts'
import { SHOWN_NAME } from './rows.ts'
import { limitOf, statement } from './statements.ts'

/** The coldness of a node that has this heat now. */
export function coldnessNow(parameter: string): string {
  return `coldness_of(${parameter}, s.heat_clock)`
}

/**
 * All nodes cool alike, so the index on coldness is in the order of heat at any time. It has those that were reported
 * apart: SQLite merges the two while it reads, and nothing is sorted.
 */
export function byColdness(condition: string, page: string): string {
  const part = (told: 0 | 1): string =>
    `SELECT coldness, node_key FROM heat WHERE told = ${told} AND coldness IS NOT NULL ${condition}`
  return `${part(0)} UNION ALL ${part(1)} ORDER BY coldness, node_key ${page}`
}

const IS_BELOW = `AND coldness < (SELECT ${coldnessNow('@below')} FROM spaces s WHERE s.id = @space)`

const coldNodes = (found: string, condition = ''): string =>
  `SELECT n.key, n.id, n.label, ${SHOWN_NAME} AS source, ${EFFECTIVE_HEAT} AS value
   FROM spaces s CROSS JOIN (${found}) c CROSS JOIN heat h ON h.node_key = c.node_key
   CROSS JOIN nodes n ON n.key = h.node_key CROSS JOIN documents d ON d.id = n.document_id
   WHERE s.id = @space ${condition} ORDER BY c.coldness, c.node_key`

export const COLDEST = coldNodes(byColdness(IS_BELOW, limitOf('@limit')))
export const NEWLY_COLD = coldNodes(
  `SELECT coldness, node_key FROM heat WHERE told = 0 AND coldness IS NOT NULL ${IS_BELOW}
   ORDER BY coldness, node_key ${limitOf('@limit')}`,
)

/** When a node last became what it is. */
const CHANGED_AT = `(SELECT o.created_at FROM snapshots o
  WHERE o.id = (SELECT max(v.snapshot_id) FROM versions v WHERE v.node_key = n.key))`
export const LONG_UNREAD = `${coldNodes(
  byColdness('', limitOf('@lookedAt')),
  `AND n.tokens > @tokens AND coalesce(h.accessed_at, 0) < @since AND ${CHANGED_AT} < @since`,
)} ${limitOf('@limit')}`

type Page = [{ space: number; below: number; limit: number }]

export function coldReads({ db, spaceId: space }: Context) {
  const coldest = statement<Page, ColdRow>(db, COLDEST)
  const newlyCold = statement<Page, ColdRow>(db, NEWLY_COLD)
  const longUnread = statement<[Required<ColdPage>['unread'] & { space: number; limit: number }], ColdRow>(
    db,
    LONG_UNREAD,
  )
  return {
    coldest({ limit, below = Number.POSITIVE_INFINITY, isNew, unread }: ColdPage): ColdRow[] {
      if (unread) return longUnread().all({ space, limit, ...unread })
      return (isNew ? newlyCold() : coldest()).all({ space, below, limit })
    },
  }
}
