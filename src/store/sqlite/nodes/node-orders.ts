import type { OrderedNodes } from '../../../core/port/nodes.ts'
import { limitOf, type Parameters } from '../database/statements.ts'

/** The coldness of a node that has this heat now. */
export function coldnessNow(value: string): string {
  return `(SELECT coldness_of(${value}, heat_clock) FROM spaces WHERE id = @space)`
}

const part = (told: 0 | 1, condition: string): string =>
  `SELECT coldness, node_key FROM heat WHERE told = ${told} AND coldness IS NOT NULL ${condition}`

/**
 * All nodes cool alike, so the index on coldness is in the order of heat at any time. Reported nodes are a
 * separate range of it: SQLite merges the two while reading, without sorting.
 */
export function byColdness(condition: string, page: string): string {
  return `${part(0, condition)} UNION ALL ${part(1, condition)} ORDER BY coldness, node_key ${page}`
}

/** Live ones that are pinned: they are few. */
export const PINNED = `SELECT p.node_key, p.value FROM heat p CROSS JOIN nodes m ON m.key = p.node_key
  WHERE p.pinned = 1 AND m.removed_in IS NULL`

/** Pinned nodes have no coldness: they get that of their heat, and only they are sorted. */
const PINNED_COLDNESS = `SELECT ${coldnessNow('value')} AS coldness, node_key FROM (${PINNED}) WHERE @pinned IS NOT 0`
const byWarmth = (page: string): string =>
  `${part(0, 'AND @pinned IS NOT 1')} UNION ALL ${part(1, 'AND @pinned IS NOT 1')} UNION ALL ${PINNED_COLDNESS}
   ORDER BY coldness DESC, node_key DESC ${page}`

const IS_BELOW = `AND coldness < ${coldnessNow('@below')}`
const LIMIT = limitOf('@limit')
/** The warmest that are warmer than the first one beyond the limit. */
const APART = `SELECT * FROM (${byWarmth(LIMIT)}) WHERE coldness > coalesce(
  (SELECT coldness FROM (${byWarmth('LIMIT 1 OFFSET CAST(@limit AS INTEGER)')})), -9e999)`

const ordered = (found: string, order: string, conditions = 'TRUE') => ({
  from: `(${found}) c CROSS JOIN nodes n ON n.key = c.node_key`,
  where: `${conditions} ORDER BY ${order}`,
})
const COLDEST_FIRST = 'c.coldness, c.node_key'
const WARMEST_FIRST = 'c.coldness DESC, c.node_key DESC'

export const NEWEST_VERSION = '(SELECT max(v.snapshot_id) FROM versions v WHERE v.node_key = n.key)'
const IS_UNREAD = `n.tokens > @tokens
  AND coalesce((SELECT u.accessed_at FROM heat u WHERE u.node_key = n.key), 0) < @since
  AND (SELECT o.created_at FROM snapshots o WHERE o.id = ${NEWEST_VERSION}) < @since`

/** Which nodes, and in which order: as `SHAPES` of nodes. */
export const ORDERS = {
  coldest: ordered(byColdness(IS_BELOW, LIMIT), COLDEST_FIRST),
  newlyCold: ordered(`${part(0, IS_BELOW)} ORDER BY coldness, node_key ${LIMIT}`, COLDEST_FIRST),
  unread: ordered(byColdness('', limitOf('@lookedAt')), `${COLDEST_FIRST} ${LIMIT}`, IS_UNREAD),
  warmest: ordered(byWarmth(LIMIT), WARMEST_FIRST),
  apart: ordered(APART, WARMEST_FIRST),
  changed: ordered(
    `SELECT node_key, max(snapshot_id) AS snapshot_id FROM (SELECT node_key, snapshot_id FROM versions
       ORDER BY snapshot_id DESC, node_key DESC ${LIMIT}) GROUP BY node_key`,
    'c.snapshot_id DESC, c.node_key DESC',
  ),
}

export function orderOf(select: OrderedNodes): [keyof typeof ORDERS, Parameters] {
  const { order, limit } = select
  if (order === 'changed') return [order, { limit }]
  if (order === 'warmest') {
    const pinned = select.pinned === undefined ? null : Number(select.pinned)
    return [select.apart ? 'apart' : order, { limit, pinned }]
  }
  if ('unread' in select) return ['unread', { limit, ...select.unread }]
  const { isNew, below = Number.POSITIVE_INFINITY } = select
  return [isNew ? 'newlyCold' : order, { limit, below }]
}
