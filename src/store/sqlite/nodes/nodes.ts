import { DOCUMENT_KINDS, type DocumentKind } from '../../../core/model.ts'
import type {
  NodeFields,
  NodeReads,
  NodeSelect,
  OutlinePage,
  OutlinePlace,
  OutlineStart,
  Size,
  Sizes,
  Walk,
  Walked,
  WalkFrom,
} from '../../../core/port/nodes.ts'
import type { ContentSelect } from '../../contents.ts'
import { walkUp } from '../../walk-up.ts'
import { type Context, listParameter } from '../database/context.ts'
import { limitOf, type Parameters, type Sync, statement, statements } from '../database/statements.ts'
import { NODE_FIELDS } from './node-fields.ts'
import { orderOf } from './node-orders.ts'
import { AFTER, SHAPES, type Shape, type ShapeName, shapeOf } from './node-shapes.ts'

type FieldName = keyof NodeFields
type Rows = Walked<FieldName>[]
type Upward = 'lineage' | 'outline' | 'reading'
type Start = Exclude<OutlineStart, { id: string }>
type Page = Omit<OutlinePage<FieldName>, 'fields'>

/** Siblings are read in growing pages: the descendants of the first ones may fill the answer. */
const FIRST_PAGE = 16
const DEEP = Number.MAX_SAFE_INTEGER
/** Before and after every place among siblings: positions are ASCII. */
const FIRST = { position: '', key: 0 }
const LAST = { position: '\u{10ffff}', key: 0 }

const BELOW = `WITH RECURSIVE below (key) AS (SELECT key FROM nodes WHERE parent_key = @key
    UNION ALL SELECT n.key FROM below b CROSS JOIN nodes n ON n.parent_key = b.key ${limitOf('@max')})`
const SIZE = `${BELOW} SELECT count(*) AS nodes, coalesce(sum(n.tokens), 0) AS tokens FROM below b CROSS JOIN nodes n ON n.key = b.key`

/** As the index of addresses can be walked: sources, then the other doors by name. */
const KINDS = ['source', ...DOCUMENT_KINDS.filter((kind) => kind !== 'source').sort()] as const

function nodesSql(shape: ShapeName, fields: FieldName | 'place'): string {
  const { columns, joins } = NODE_FIELDS[fields]
  const { walk, from, where }: Shape = SHAPES[shape]
  return `${walk ?? ''} SELECT ${columns} ${walk ? ', w.distance' : ''} FROM ${from} ${joins} WHERE ${where}`
}

type Walks = Sync<Pick<NodeReads, 'outline' | 'walk'>>
interface Nodes {
  nodes(select: NodeSelect | ContentSelect, fields: FieldName): never[]
}

export function nodeReads({ db, spaceId, ownerId }: Context): Walks & Nodes {
  const ask = statements(db)
  const sizeOf = statement<[{ key: number; max: number }], Size>(db, SIZE)
  const countOf = statement<[{ key: number; max: number }], Size>(
    db,
    `${BELOW} SELECT count(*) AS nodes FROM below`,
  )
  const rootAfter = statement<[number], { id: string }>(
    db,
    `SELECT f.id FROM nodes b CROSS JOIN nodes f ON f.document_id = b.document_id
     WHERE b.key = ? AND b.parent_key IS NULL AND f.parent_key IS NULL AND ${AFTER} ORDER BY f.position, f.key LIMIT 1`,
  )
  const addressOf = statement<[number], { kind: DocumentKind; collection: string; name: string }>(
    db,
    'SELECT kind, collection, name FROM documents WHERE id = ?',
  )

  function read<R>([shape, parameters]: [ShapeName, Parameters], fields: FieldName | 'place'): R[] {
    const name = `${shape} ${fields}`
    const rows = ask<never>(name, { ...parameters, space: spaceId }, () => nodesSql(shape, fields))
    const { toRow } = NODE_FIELDS[fields]
    return toRow ? (rows.map(toRow) as R[]) : rows
  }

  function siblings<R>(start: Start, { limit, backwards }: Page, fields: FieldName | 'place'): R[] {
    const { parentKey: parent, documentId: document, after, before } = start
    if (parent === null && document === undefined) return rootsFrom(after, limit, fields)
    const { position, key } = backwards ? (before ?? LAST) : (after ?? FIRST)
    const which = parent === null ? 'Roots' : document === undefined ? 'Children' : 'OwnChildren'
    const shape = `${backwards ? 'last' : 'next'}${which}` as const
    return read([shape, { parent, document, limit, position, key }], fields)
  }

  function rootsFrom<R>(after: OutlinePlace | undefined, limit: number, fields: FieldName | 'place'): R[] {
    const own = after && { parentKey: null, documentId: after.documentId, after }
    let rows: R[] = own ? siblings(own, { limit }, fields) : []
    let address = after && addressOf().get(after.documentId)
    for (const kind of KINDS.slice(address ? KINDS.indexOf(address.kind) : 0)) {
      const left = limit - rows.length
      if (left <= 0) break
      const from = { collection: '', name: '', ...address, kind, limit: left }
      rows = rows.concat(read(['rootsAfter', { ...from, owner: ownerId }], fields))
      address = undefined
    }
    return rows
  }

  /** The nodes at one start, after it and below. */
  function outlineFrom(start: OutlineStart, page: Page, fields: FieldName): Rows {
    const { level = 0 } = start
    const { limit, depth = level } = page
    const down = { level, depth: Math.min(depth, DEEP) }
    if ('id' in start) {
      const rows: Rows = read(['inOrderById', { ...down, list: listParameter([start.id]), limit }], fields)
      addFollowing(rows[0])
      return rows
    }
    if (depth <= level) {
      const rows = siblings<Rows[number]>(start, page, fields)
      for (const row of rows) row.distance = level
      return rows
    }
    let rows: Rows = []
    let from: Start = start
    for (let size = FIRST_PAGE; ; size *= 4) {
      const left = limit - rows.length
      const most = Math.min(size, left)
      const tops = siblings<OutlinePlace>(from, { limit: most }, 'place')
      const list = listParameter(tops.map(({ key }) => key))
      rows = rows.concat(read(['inOrder', { ...down, list, limit: left }], fields))
      const after = tops.at(-1)
      if (!after || tops.length < most || rows.length >= limit) return rows
      from = { ...from, after }
    }
  }

  function up(first: Walked<Upward>[], fields: Upward): Walked<Upward>[] {
    return walkUp(first, (keys) => read(shapeOf({ keys }), fields))
  }

  function down(from: WalkFrom, { fields, depth = DEEP, limit = -1, sizes }: Walk<Upward>): Walked<Upward>[] {
    const [shape, parameters] = shapeOf(from)
    const walk = shape === 'ids' ? 'nearestById' : 'nearest'
    const rows: Walked<Upward>[] = read([walk, { ...parameters, depth, limit }], fields)
    const isCut = rows.length === limit || rows.at(-1)?.distance === depth
    if (sizes && isCut) countBelow(rows.slice(0, 1), sizes)
    return rows
  }

  function both(from: WalkFrom, walk: Walk<Upward>): Walked<Upward>[] {
    const rows = down(from, walk)
    const [first] = rows
    addFollowing(first)
    if (!first || first.parentKey === null) return rows
    const above = up([{ ...first }], walk.fields).slice(1)
    for (const row of above) row.distance = -row.distance
    return above.reverse().concat(rows)
  }

  function addFollowing(row: Walked<FieldName> | undefined): void {
    const next = row && rootAfter().get(row.key)
    if (next) row.following = next.id
  }

  function countBelow(rows: Rows, { max, tokens: withTokens = false }: Sizes): void {
    for (const row of rows) {
      const { nodes, tokens } = (withTokens ? sizeOf() : countOf()).get({ key: row.key, max }) ?? { nodes: 0 }
      if (nodes > 0) row.below = { nodes, tokens: tokens ?? 0 }
    }
  }

  return {
    nodes: (select, fields) => read('order' in select ? orderOf(select) : shapeOf(select), fields),
    outline(from, { fields, ...page }) {
      let rows: Rows = []
      for (const start of from) {
        const limit = page.limit - rows.length
        if (limit > 0) rows = rows.concat(outlineFrom(start, { ...page, limit }, fields))
      }
      const { sizes, depth } = page
      const isDeepest = (row: Rows[number]): boolean =>
        row.distance === depth && (row as { children?: number }).children !== 0
      if (sizes) countBelow(rows.filter(isDeepest), sizes)
      return rows
    },
    walk(from, walk) {
      if (walk.direction === 'up') return up(read(shapeOf(from), walk.fields), walk.fields)
      return walk.direction === 'down' ? down(from, walk) : both(from, walk)
    },
  }
}
