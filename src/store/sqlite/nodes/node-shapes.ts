import type { NodeSelect, OrderedNodes } from '../../../core/port/nodes.ts'
import type { ContentSelect } from '../../contents.ts'
import { listParameter } from '../database/context.ts'
import { limitOf, type Parameters } from '../database/statements.ts'
import { ORDERS } from './node-orders.ts'

const LIVE = 'n.removed_in IS NULL'
const LISTED = 'json_each(@list) j CROSS JOIN nodes n'

/** Removed nodes have no parent and an empty position: the index of siblings leaves them out. */
export const AFTER = '(f.position, f.key) > (b.position, b.key)'
const firstOf = (siblings: string): string =>
  `(SELECT f.key FROM nodes f WHERE ${siblings} ORDER BY f.position, f.key LIMIT 1)`

/**
 * In document order, from one node to its first child and to its next sibling: the deepest that is known comes next, so no more
 * siblings are read than are returned. Those of the list come in its order.
 */
const inOrder = (
  listed: string,
): string => `WITH RECURSIVE walk (key, parent_key, position, distance, place) AS (
    SELECT n.key, n.parent_key, n.position, @level, j.key FROM json_each(@list) j CROSS JOIN nodes n ON ${listed}
    UNION ALL SELECT n.key, n.parent_key, n.position, b.distance + 1, 0 FROM walk b
      CROSS JOIN nodes n ON n.key = ${firstOf('f.parent_key = b.key')} WHERE b.distance < @depth
    UNION ALL SELECT n.key, n.parent_key, n.position, b.distance, 0 FROM walk b
      CROSS JOIN nodes n ON n.key = ${firstOf(`f.parent_key = b.parent_key AND ${AFTER}`)} WHERE b.distance > @level
    ORDER BY 4 DESC, 5 ${limitOf('@limit')})`

/** Breadth first along the index of siblings; the limit ends the walk. */
const nearest = (listed: string): string => `WITH RECURSIVE walk (key, distance) AS (
    SELECT n.key, 0 FROM json_each(@list) j CROSS JOIN nodes n ON ${listed}
    UNION ALL SELECT n.key, w.distance + 1 FROM walk w CROSS JOIN nodes n ON n.parent_key = w.key
    WHERE w.distance < @depth ${limitOf('@limit')})`

/** The nodes that changed in a range, by key: of each snapshot no more keys than the page has, since the index has them in order. */
const CHANGED = `(SELECT DISTINCT v.node_key AS key FROM snapshots s CROSS JOIN versions v ON v.snapshot_id = s.id
    AND v.node_key > @after AND v.node_key <= coalesce((SELECT e.node_key FROM versions e
      WHERE e.snapshot_id = s.id AND e.node_key > @after ORDER BY e.node_key LIMIT 1 OFFSET @limit - 1), 9e18)
  WHERE s.id > @since AND s.id <= @until ORDER BY 1 ${limitOf('@limit')})`

export interface Shape {
  /** Of a walk: its nodes, as a table `walk`. */
  walk?: string
  from: string
  where: string
}

const listed = (where: string): Shape => ({ from: LISTED, where })
const ofWalk = (walk: string): Shape => ({
  walk,
  from: 'walk w CROSS JOIN nodes n ON n.key = w.key',
  where: 'TRUE',
})
const ID = `n.id = j.value AND ${LIVE}`
const KEY = `n.key = j.value AND ${LIVE}`
const FORWARDS = `AND ${LIVE} AND (n.position, n.key) > (@position, @key) ORDER BY n.position, n.key ${limitOf('@limit')}`
const BACKWARDS = `AND ${LIVE} AND (n.position, n.key) < (@position, @key) ORDER BY n.position DESC, n.key DESC ${limitOf('@limit')}`
const siblingsWhere = (where: string, page: string): Shape => ({ from: 'nodes n', where: `${where} ${page}` })

/** Which nodes. Rows are in the order of their list. */
export const SHAPES = {
  ids: listed(ID),
  keys: listed(KEY),
  everId: listed('n.id = j.value'),
  everKey: listed('n.key = j.value'),
  parents: listed(`n.parent_key = j.value AND ${LIVE} ORDER BY j.key, n.position, n.key`),
  contentOf: {
    from: 'nodes n',
    where: `n.document_id = @contentOf AND (${LIVE} OR n.key IN (SELECT node_key FROM overlays))`,
  },
  document: {
    from: `(SELECT key FROM nodes WHERE document_id = @document AND removed_in IS NULL ORDER BY key ${limitOf('@limit')}) f
      CROSS JOIN nodes n ON n.key = f.key`,
    where: 'TRUE ORDER BY n.key',
  },
  /** The last text of a removed node is that of its newest version that has one. */
  removedFrom: {
    from: `(SELECT r.key, r.id, r.document_id, v.parent_key, v.position, v.type, v.format, r.label, r.name, r.tokens, v.text_id,
        r.mark, v.links, r.removed_in FROM nodes r JOIN versions v ON v.node_key = r.key AND v.snapshot_id =
        (SELECT max(p.snapshot_id) FROM versions p WHERE p.node_key = r.key AND p.text_id IS NOT NULL)
      WHERE r.document_id = @removedFrom AND r.removed_in IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM overlays a WHERE a.node_key = r.key)) n`,
    where: 'TRUE ORDER BY n.removed_in DESC, n.key',
  },
  guests: {
    from: 'nodes p CROSS JOIN nodes n ON n.parent_key = p.key AND n.document_id <> p.document_id',
    where: 'p.document_id = @guestsOf AND p.removed_in IS NULL',
  },
  page: { from: 'nodes n', where: `n.key > @after AND ${LIVE} ORDER BY n.key ${limitOf('@limit')}` },
  removedAfter: {
    from: 'nodes n',
    where: `n.removed_in > @removedAfter AND n.key > @after ORDER BY n.key ${limitOf('@limit')}`,
  },
  changedIn: { from: `${CHANGED} c CROSS JOIN nodes n ON n.key = c.key`, where: 'TRUE ORDER BY c.key' },
  nextChildren: siblingsWhere('n.parent_key = @parent', FORWARDS),
  nextOwnChildren: siblingsWhere('n.parent_key = @parent AND n.document_id = @document', FORWARDS),
  nextRoots: siblingsWhere('n.document_id = @document AND n.parent_key IS NULL', FORWARDS),
  lastChildren: siblingsWhere('n.parent_key = @parent', BACKWARDS),
  lastOwnChildren: siblingsWhere('n.parent_key = @parent AND n.document_id = @document', BACKWARDS),
  lastRoots: siblingsWhere('n.document_id = @document AND n.parent_key IS NULL', BACKWARDS),
  rootsAfter: {
    from: 'documents r CROSS JOIN nodes n ON n.document_id = r.id',
    where: `r.space_id = @space AND r.owner_id = @owner AND r.kind = CAST(@kind AS TEXT)
      AND (r.collection, r.name) > (@collection, @name) AND n.parent_key IS NULL AND ${LIVE}
      ORDER BY r.collection, r.name, n.position, n.key ${limitOf('@limit')}`,
  },
  inOrder: ofWalk(inOrder(KEY)),
  inOrderById: ofWalk(inOrder(ID)),
  nearest: ofWalk(nearest(KEY)),
  nearestById: ofWalk(nearest(ID)),
  ...ORDERS,
} satisfies Record<string, Shape>
export type ShapeName = keyof typeof SHAPES

type Select = Exclude<NodeSelect, OrderedNodes> | ContentSelect

export function shapeOf(select: Select): [ShapeName, Parameters] {
  if ('ids' in select) return [select.removed ? 'everId' : 'ids', { list: listParameter(select.ids) }]
  if ('keys' in select) return [select.removed ? 'everKey' : 'keys', { list: listParameter(select.keys) }]
  if ('parents' in select) return ['parents', { list: listParameter(select.parents) }]
  if ('removedFrom' in select) return ['removedFrom', { ...select }]
  if ('guestsOf' in select) return ['guests', { ...select }]
  if ('changedIn' in select) return ['changedIn', { ...select, ...select.changedIn, changedIn: undefined }]
  if ('after' in select) return ['removedAfter' in select ? 'removedAfter' : 'page', { ...select }]
  if ('contentOf' in select) return ['contentOf', { ...select }]
  return ['document', { ...select, limit: select.limit ?? -1 }]
}
