import { DOCUMENT_KINDS, type DocumentKind } from '../../core/model.ts'
import type { BriefRow, OutlinePlace, OutlineRow } from '../../core/port/outline.ts'
import { type Context, listParameter } from './context.ts'
import { EFFECTIVE_HEAT } from './heat.ts'
import { SHOWN_NAME } from './rows.ts'
import { limitOf, statement } from './statements.ts'

type After = { position: string; key: number; limit: number }
interface SqlAddress {
  kind: DocumentKind
  collection: string
  name: string
}

const BRIEF = `n.key, n.id, n.type, n.label, n.tokens, coalesce(${EFFECTIVE_HEAT}, 0) AS temperature, ${SHOWN_NAME} AS source`
// A removed node has no parent: the children of a node are counted in the index alone.
const COLUMNS = `${BRIEF}, n.document_id AS documentId, n.parent_key AS parentKey, n.position,
  (SELECT count(*) FROM nodes c WHERE c.parent_key = n.key) AS children`
const HEAT = 'LEFT JOIN heat h ON h.node_key = n.key JOIN spaces s ON s.id = d.space_id'
const TABLES = `nodes n JOIN documents d ON d.id = n.document_id ${HEAT}`
const PAGE = `n.removed_in IS NULL AND (n.position, n.key) > (@position, @key)
  ORDER BY n.position, n.key ${limitOf('@limit')}`

// What is found first is followed first, in the index alone, and the limit ends the walk.
const BELOW = `WITH RECURSIVE below (key) AS (
  SELECT key FROM nodes WHERE parent_key = @key
  UNION ALL SELECT n.key FROM below b CROSS JOIN nodes n ON n.parent_key = b.key ${limitOf('@max')})`

/** As `roots` has them, and as the index of addresses can be walked: sources, then the other doors by name. */
const KINDS = ['source', ...DOCUMENT_KINDS.filter((kind) => kind !== 'source').sort()] as const

export function outlineReads({ db, spaceId, ownerId }: Context) {
  const childrenOf = statement<[After & { parent: number }], OutlineRow>(
    db,
    `SELECT ${COLUMNS} FROM ${TABLES} WHERE n.parent_key = @parent AND ${PAGE}`,
  )
  const rootsOf = statement<[After & { document: number }], OutlineRow>(
    db,
    `SELECT ${COLUMNS} FROM ${TABLES} WHERE n.document_id = @document AND n.parent_key IS NULL AND ${PAGE}`,
  )
  const rootAfter = statement<[number], { id: string }>(
    db,
    `SELECT n.id FROM nodes o CROSS JOIN nodes n ON n.document_id = o.document_id
     WHERE o.key = ? AND o.parent_key IS NULL AND n.parent_key IS NULL AND n.removed_in IS NULL
       AND (n.position, n.key) > (o.position, o.key) ORDER BY n.position, n.key LIMIT 1`,
  )
  const rootsAfter = statement<[SqlAddress & { space: number; owner: number; limit: number }], OutlineRow>(
    db,
    `SELECT ${COLUMNS} FROM documents d CROSS JOIN nodes n ON n.document_id = d.id ${HEAT}
     WHERE d.space_id = @space AND d.owner_id = @owner AND d.kind = @kind
       AND (d.collection, d.name) > (@collection, @name) AND n.parent_key IS NULL AND n.removed_in IS NULL
     ORDER BY d.collection, d.name, n.position, n.key ${limitOf('@limit')}`,
  )
  const addressOf = statement<[number], SqlAddress>(
    db,
    'SELECT kind, collection, name FROM documents WHERE id = ?',
  )
  const listed = (column: 'key' | 'id' | 'parent_key') =>
    statement<[string], OutlineRow>(
      db,
      `SELECT ${COLUMNS} FROM json_each(?) j CROSS JOIN ${TABLES}
       WHERE n.${column} = j.value AND n.removed_in IS NULL ORDER BY j.key, n.position, n.key`,
    )
  const brief = statement<[string], BriefRow>(
    db,
    `SELECT ${BRIEF} FROM json_each(?) j CROSS JOIN ${TABLES} WHERE n.key = j.value AND n.removed_in IS NULL`,
  )
  const byKey = listed('key')
  const byId = listed('id')
  const byParent = listed('parent_key')
  const below = statement<[{ key: number; max: number }], { nodes: number }>(
    db,
    `${BELOW} SELECT count(*) AS nodes FROM below`,
  )
  const nodesOf = statement<[{ document: number; max: number }], { nodes: number }>(
    db,
    `SELECT count(*) AS nodes FROM (SELECT 1 FROM nodes WHERE document_id = @document AND removed_in IS NULL ${limitOf('@max')})`,
  )
  const sums = statement<[{ key: number; max: number }], { nodes: number; tokens: number }>(
    db,
    `${BELOW} SELECT count(*) AS nodes, coalesce(sum(n.tokens), 0) AS tokens FROM below b CROSS JOIN nodes n ON n.key = b.key`,
  )
  const texts = statement<[string], { key: number; body: string }>(
    db,
    `SELECT n.key, t.body FROM json_each(?) j CROSS JOIN nodes n ON n.key = j.value
     CROSS JOIN texts t ON t.id = n.text_id`,
  )

  function rootsFrom(after: OutlinePlace | undefined, limit: number): OutlineRow[] {
    let rows = after ? rootsOf().all({ ...after, document: after.documentId, limit }) : []
    let address = after && addressOf().get(after.documentId)
    for (const kind of KINDS.slice(address ? KINDS.indexOf(address.kind) : 0)) {
      if (rows.length >= limit) break
      const { collection, name } = address ?? { collection: '', name: '' }
      const page = { collection, name, limit: limit - rows.length }
      rows = rows.concat(rootsAfter().all({ space: spaceId, owner: ownerId, kind, ...page }))
      address = undefined
    }
    return rows
  }

  return {
    outline(
      parentKey: number | null,
      { limit, after }: { limit: number; after?: OutlinePlace },
    ): OutlineRow[] {
      const { position, key } = after ?? { position: '', key: 0 }
      const rows =
        parentKey === null
          ? rootsFrom(after, limit)
          : childrenOf().all({ parent: parentKey, position, key, limit })
      return rows
    },
    nextRoot: (key: number): string | undefined => rootAfter().get(key)?.id,
    outlineChildren: (parentKeys: number[]): OutlineRow[] => byParent().all(listParameter(parentKeys)),
    briefNodes: (keys: number[]): BriefRow[] => brief().all(listParameter(keys)),
    outlineNodes: (keys: number[]): OutlineRow[] => byKey().all(listParameter(keys)),
    outlineByIds: (ids: string[]): OutlineRow[] => byId().all(listParameter(ids)),
    countBelow: (key: number, max: number): number => below().get({ key, max })?.nodes ?? 0,
    countNodesOf: (document: number, max: number): number => nodesOf().get({ document, max })?.nodes ?? 0,
    sumBelow: (key: number, max: number): { nodes: number; tokens: number } =>
      sums().get({ key, max }) ?? { nodes: 0, tokens: 0 },
    nodeTexts: (keys: number[]): Map<number, string> =>
      new Map(
        texts()
          .all(listParameter(keys))
          .map(({ key, body }) => [key, body]),
      ),
  }
}
