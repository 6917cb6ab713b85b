import type { Format, NodeType, Op } from '../../core/model.ts'
import type {
  KeyPage,
  NetRow,
  RestoreRow,
  SnapshotRange,
  VersionPage,
  VersionRow,
  VersionSelect,
  VersionState,
} from '../../core/port/history.ts'
import type { Context } from './context.ts'
import { DOCUMENT_NODE, type SqlDocumentNode, toDocumentNode } from './node-rows.ts'
import { limitOf, statement } from './statements.ts'

interface SqlState {
  text_id: number | null
  parent_id: string | null
  position: string
  type: NodeType
  format: Format
  label: string | null
  body: string | null
  links: string | null
}
type Prefixed<P extends string> = { [K in keyof SqlState as `${P}_${K}`]: SqlState[K] }
type SqlVersion = { snapshot_id: number; node_key: number; node_id: string; op: Op } & Prefixed<'old'> &
  Prefixed<'new'>

const stateColumns = (prefix: string, v: string, t: string, p: string): string =>
  `${v}.text_id AS ${prefix}_text_id, ${p}.id AS ${prefix}_parent_id, ${v}.position AS ${prefix}_position,
   ${v}.type AS ${prefix}_type, ${v}.format AS ${prefix}_format, ${v}.label AS ${prefix}_label, ${t}.body AS ${prefix}_body,
   ${v}.links AS ${prefix}_links`

/** A version beside the one before it: what a snapshot made of a node, and of what. */
const VERSION = `SELECT v.snapshot_id, v.node_key, n.id AS node_id, v.op,
    ${stateColumns('new', 'v', 't', 'p')}, ${stateColumns('old', 'b', 'bt', 'bp')}
  FROM versions v JOIN nodes n ON n.key = v.node_key
  LEFT JOIN texts t ON t.id = v.text_id LEFT JOIN nodes p ON p.key = v.parent_key
  LEFT JOIN versions b ON b.node_key = v.node_key AND b.snapshot_id =
    (SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = v.node_key AND e.snapshot_id < v.snapshot_id)
  LEFT JOIN texts bt ON bt.id = b.text_id LEFT JOIN nodes bp ON bp.key = b.parent_key`

/**
 * Where to begin is one place. With a lower bound for the snapshot beside it the index would be entered there, and a late page
 * would read every version before it.
 */
export const VERSIONS_AFTER = `${VERSION} WHERE (v.snapshot_id, v.node_key) > (?, ?) AND v.snapshot_id <= ?
  ORDER BY v.snapshot_id, v.node_key ${limitOf()}`

interface SqlRestore extends SqlDocumentNode {
  past_text_id: number | null
  past_parent_key: number | null
  past_parent_id: string | null
  past_position: string
  past_type: NodeType
  past_format: Format
  past_label: string | null
  past_digest: Buffer
  past_body: string
  past_links: string | null
}

/** The nodes that changed in a range, by key: of each snapshot no more keys than the page has, since the index has them in order. */
const CHANGED = `(SELECT DISTINCT v.node_key AS key FROM snapshots s CROSS JOIN versions v ON v.snapshot_id = s.id
    AND v.node_key > @after AND v.node_key <= coalesce((SELECT e.node_key FROM versions e
      WHERE e.snapshot_id = s.id AND e.node_key > @after ORDER BY e.node_key LIMIT 1 OFFSET @limit - 1), 9e18)
  WHERE s.id > @since AND s.id <= @until ORDER BY 1 ${limitOf('@limit')})`

const versionAt = (snapshot: string): string =>
  `(SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = n.key AND e.snapshot_id <= ${snapshot})`

export const NET_CHANGES = `SELECT v.snapshot_id, n.key AS node_key, n.id AS node_id, '' AS op,
    ${stateColumns('new', 'v', 't', 'p')}, ${stateColumns('old', 'b', 'bt', 'bp')}
  FROM ${CHANGED} c CROSS JOIN nodes n ON n.key = c.key
  JOIN versions v ON v.node_key = n.key AND v.snapshot_id = ${versionAt('@until')}
  LEFT JOIN texts t ON t.id = v.text_id LEFT JOIN nodes p ON p.key = v.parent_key
  LEFT JOIN versions b ON b.node_key = n.key AND b.snapshot_id = ${versionAt('@since')}
  LEFT JOIN texts bt ON bt.id = b.text_id LEFT JOIN nodes bp ON bp.key = b.parent_key ORDER BY c.key`

// A parent that was not there does not come back, and its children are roots: an erased one has no versions left, and a history
// that was mended or imported may name a removed one.
export const RESTORES = `SELECT ${DOCUMENT_NODE}, v.text_id AS past_text_id, pp.key AS past_parent_key,
    pp.id AS past_parent_id, v.position AS past_position, v.type AS past_type, v.format AS past_format,
    v.label AS past_label, vt.digest AS past_digest, vt.body AS past_body, v.links AS past_links
  FROM ${CHANGED} c CROSS JOIN nodes n ON n.key = c.key LEFT JOIN texts t ON t.id = n.text_id LEFT JOIN overlays o ON o.node_key = n.key
  LEFT JOIN versions v ON v.node_key = n.key AND v.snapshot_id = ${versionAt('@since')}
  LEFT JOIN texts vt ON vt.id = v.text_id
  LEFT JOIN nodes pp ON pp.key = v.parent_key AND (SELECT e.text_id FROM versions e
    WHERE e.node_key = pp.key AND e.snapshot_id <= @since ORDER BY e.snapshot_id DESC LIMIT 1) IS NOT NULL
  ORDER BY c.key`

export function versionReads({ db }: Context) {
  const inRange = statement<[number, number, number, number], SqlVersion>(db, VERSIONS_AFTER)
  const ofNode = statement<[string, number, number, number], SqlVersion>(
    db,
    `${VERSION} WHERE v.node_key = (SELECT key FROM nodes WHERE id = ?) AND v.snapshot_id > ? AND v.snapshot_id <= ?
     ORDER BY v.snapshot_id DESC ${limitOf()}`,
  )
  const net = statement<[SnapshotRange & KeyPage], SqlVersion>(db, NET_CHANGES)
  const restores = statement<[SnapshotRange & KeyPage], SqlRestore>(db, RESTORES)

  return {
    versions(
      { nodeId, since = 0, until = Number.MAX_SAFE_INTEGER }: VersionSelect,
      { limit, after }: VersionPage,
    ): VersionRow[] {
      if (nodeId !== undefined) return ofNode().all(nodeId, since, until, limit).map(toVersion)
      const { snapshotId, nodeKey } =
        after && after.snapshotId > since ? after : { snapshotId: since, nodeKey: Number.MAX_SAFE_INTEGER }
      return inRange().all(snapshotId, nodeKey, until, limit).map(toVersion)
    },
    netChanges: (range: SnapshotRange, page: KeyPage): NetRow[] =>
      net()
        .all({ ...range, ...page })
        .map(toVersion)
        .map(({ op: _, ...row }) => row),
    restores: (range: SnapshotRange, page: KeyPage): RestoreRow[] =>
      restores()
        .all({ ...range, ...page })
        .map(toRestore),
  }
}

function toVersion(row: SqlVersion): VersionRow {
  return {
    snapshotId: row.snapshot_id,
    nodeKey: row.node_key,
    nodeId: row.node_id,
    op: row.op,
    old: toState(row, 'old'),
    new: toState(row, 'new'),
  }
}

function toState(row: SqlVersion, prefix: 'old' | 'new'): VersionState | null {
  if (row[`${prefix}_text_id`] === null) return null
  return {
    parentId: row[`${prefix}_parent_id`],
    position: row[`${prefix}_position`],
    type: row[`${prefix}_type`],
    format: row[`${prefix}_format`],
    label: row[`${prefix}_label`],
    text: row[`${prefix}_body`] ?? '',
    links: row[`${prefix}_links`],
  }
}

function toRestore(row: SqlRestore): RestoreRow {
  const current = toDocumentNode(row)
  if (row.past_text_id === null) return { current, past: null }
  return {
    current,
    past: {
      parentKey: row.past_parent_key,
      parentId: row.past_parent_id,
      position: row.past_position,
      type: row.past_type,
      format: row.past_format,
      label: row.past_label,
      digest: row.past_digest.toString('hex'),
      text: row.past_body,
      links: row.past_links,
    },
  }
}
