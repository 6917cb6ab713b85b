import type { Format, NodeType, Op } from '../../core/model.ts'
import type {
  KeyPage,
  NetRow,
  SnapshotRange,
  VersionPage,
  VersionRow,
  VersionSelect,
  VersionState,
} from '../../core/port/history.ts'
import type { Context } from './context.ts'
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
type SqlNet = SqlVersion & { old_digest: Buffer | null; old_parent_key: number | null }

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

/** The nodes that changed in a range, by key: of each snapshot no more keys than the page has, since the index has them in order. */
const CHANGED = `(SELECT DISTINCT v.node_key AS key FROM snapshots s CROSS JOIN versions v ON v.snapshot_id = s.id
    AND v.node_key > @after AND v.node_key <= coalesce((SELECT e.node_key FROM versions e
      WHERE e.snapshot_id = s.id AND e.node_key > @after ORDER BY e.node_key LIMIT 1 OFFSET @limit - 1), 9e18)
  WHERE s.id > @since AND s.id <= @until ORDER BY 1 ${limitOf('@limit')})`

const versionAt = (snapshot: string): string =>
  `(SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = n.key AND e.snapshot_id <= ${snapshot})`

export const NET_CHANGES = `SELECT v.snapshot_id, n.key AS node_key, n.id AS node_id, '' AS op,
    ${stateColumns('new', 'v', 't', 'p')}, ${stateColumns('old', 'b', 'bt', 'bp')}, bt.digest AS old_digest,
    CASE WHEN (SELECT e.text_id FROM versions e WHERE e.node_key = b.parent_key AND e.snapshot_id <= @since
      ORDER BY e.snapshot_id DESC LIMIT 1) IS NOT NULL THEN b.parent_key END AS old_parent_key
  FROM ${CHANGED} c CROSS JOIN nodes n ON n.key = c.key
  JOIN versions v ON v.node_key = n.key AND v.snapshot_id = ${versionAt('@until')}
  LEFT JOIN texts t ON t.id = v.text_id LEFT JOIN nodes p ON p.key = v.parent_key
  LEFT JOIN versions b ON b.node_key = n.key AND b.snapshot_id = ${versionAt('@since')}
  LEFT JOIN texts bt ON bt.id = b.text_id LEFT JOIN nodes bp ON bp.key = b.parent_key ORDER BY c.key`

export function versionReads({ db }: Context) {
  const inRange = statement<[number, number, number, number], SqlVersion>(db, VERSIONS_AFTER)
  const ofNode = statement<[string, number, number, number], SqlVersion>(
    db,
    `${VERSION} WHERE v.node_key = (SELECT key FROM nodes WHERE id = ?) AND v.snapshot_id > ? AND v.snapshot_id <= ?
     ORDER BY v.snapshot_id DESC ${limitOf()}`,
  )
  const net = statement<[SnapshotRange & KeyPage], SqlNet>(db, NET_CHANGES)

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
        .map(toNet),
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

function toNet(row: SqlNet): NetRow {
  const { op: _, old, ...net } = toVersion(row)
  const { old_digest: digest, old_parent_key: parentKey } = row
  return { ...net, old: old && { ...old, digest: digest?.toString('hex') ?? '', parentKey } }
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
