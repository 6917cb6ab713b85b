import type { Format, NodeType, Op } from '../../core/model.ts'
import type {
  StateRow,
  VersionPage,
  VersionRow,
  VersionSelect,
  VersionState,
} from '../../core/port/history.ts'
import { type Context, listParameter } from './context.ts'
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
type SqlPast = Prefixed<'new'> & {
  snapshot_id: number
  node_key: number
  digest: Buffer | null
  parent_key: number | null
}

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

/** Whether the parent was there: an erased one has no versions left, and a history that was mended or imported may name a removed one. */
const HAS_PARENT = `(SELECT e.text_id FROM versions e WHERE e.node_key = v.parent_key AND e.snapshot_id <= @snapshot
  ORDER BY e.snapshot_id DESC LIMIT 1) IS NOT NULL`

export const STATES_AT = `SELECT v.node_key, v.snapshot_id, ${stateColumns('new', 'v', 't', 'p')}, t.digest,
    CASE WHEN ${HAS_PARENT} THEN v.parent_key END AS parent_key
  FROM json_each(@list) j CROSS JOIN versions v ON v.node_key = j.value AND v.snapshot_id =
    (SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = j.value AND e.snapshot_id <= @snapshot)
  LEFT JOIN texts t ON t.id = v.text_id LEFT JOIN nodes p ON p.key = v.parent_key`

export function versionReads({ db }: Context) {
  const inRange = statement<[number, number, number, number], SqlVersion>(db, VERSIONS_AFTER)
  const ofNode = statement<[string, number, number, number], SqlVersion>(
    db,
    `${VERSION} WHERE v.node_key = (SELECT key FROM nodes WHERE id = ?) AND v.snapshot_id > ? AND v.snapshot_id <= ?
     ORDER BY v.snapshot_id DESC ${limitOf()}`,
  )
  const statesAt = statement<[{ list: string; snapshot: number }], SqlPast>(db, STATES_AT)

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
    statesAt: (keys: readonly number[], snapshot: number): StateRow[] =>
      statesAt()
        .all({ list: listParameter(keys), snapshot })
        .map(toPast),
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

function toPast(row: SqlPast): StateRow {
  const { node_key: key, snapshot_id: snapshotId, digest, parent_key: parentKey } = row
  const state = toState(row, 'new')
  return { key, snapshotId, state: state && { ...state, digest: digest?.toString('hex') ?? '', parentKey } }
}

function toState(found: Partial<SqlVersion>, prefix: 'old' | 'new'): VersionState | null {
  const row = found as SqlVersion
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
