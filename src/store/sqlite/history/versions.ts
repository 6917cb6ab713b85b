import type { Format, NodeType, Op } from '../../../core/model.ts'
import type { DocumentVersion } from '../../../core/port/doors.ts'
import type {
  PastDocument,
  StateRow,
  VersionPage,
  VersionRow,
  VersionSelect,
  VersionState,
} from '../../../core/port/history.ts'
import { type Context, listParameter } from '../database/context.ts'
import { booleans, hexOf, hexOrNull, toAttributes } from '../database/rows.ts'
import { limitOf, statement } from '../database/statements.ts'
import { appendedText } from '../documents/document-texts.ts'

/** The state of a node; without a text it was removed. */
type SqlState = [
  textKey: number | null,
  parentId: string | null,
  position: string,
  type: NodeType,
  format: Format,
  label: string | null,
  text: string | null,
  links: string | null,
]
type SqlVersion = [snapshotId: number, nodeKey: number, nodeId: string, op: Op, ...states: unknown[]]
type SqlPast = [key: number, snapshotId: number, digest: string, parentKey: number | null, ...state: SqlState]

/** Of a version `v`, its text `t` and its parent `p`. */
const stateColumns = (v: string, t: string, p: string): string =>
  `${v}.text_id, ${p}.id, ${v}.position, ${v}.type, ${v}.format, ${v}.label, ${t}.body, ${v}.links`
const STATE_LENGTH = 8

/** A version and the one before it: the new and the old state of a node in a snapshot. */
const VERSION = `SELECT v.snapshot_id, v.node_key, n.id, v.op, ${stateColumns('v', 't', 'p')}, ${stateColumns('b', 'bt', 'bp')}
  FROM versions v JOIN nodes n ON n.key = v.node_key
  LEFT JOIN texts t ON t.id = v.text_id LEFT JOIN nodes p ON p.key = v.parent_key
  LEFT JOIN versions b ON b.node_key = v.node_key AND b.snapshot_id =
    (SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = v.node_key AND e.snapshot_id < v.snapshot_id)
  LEFT JOIN texts bt ON bt.id = b.text_id LEFT JOIN nodes bp ON bp.key = b.parent_key`

/**
 * One row comparison as the start. With a separate lower bound for the snapshot SQLite would enter the index there, and a late
 * page would read every version before it.
 */
export const VERSIONS_AFTER = `${VERSION} WHERE (v.snapshot_id, v.node_key) > (?, ?) AND v.snapshot_id <= ?
  ORDER BY v.snapshot_id, v.node_key ${limitOf()}`

/** Whether the parent was there: an erased one has no versions left, and a repaired or imported history may name a removed one. */
const HAS_PARENT = `(SELECT e.text_id FROM versions e WHERE e.node_key = v.parent_key AND e.snapshot_id <= @snapshot
  ORDER BY e.snapshot_id DESC LIMIT 1) IS NOT NULL`

export const STATES_AT = `SELECT v.node_key, v.snapshot_id, ${hexOf('t.digest')}, CASE WHEN ${HAS_PARENT} THEN v.parent_key END,
    ${stateColumns('v', 't', 'p')}
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
      if (nodeId !== undefined) return ofNode().raw().all(nodeId, since, until, limit).map(toVersion)
      const { snapshotId, nodeKey } =
        after && after.snapshotId > since ? after : { snapshotId: since, nodeKey: Number.MAX_SAFE_INTEGER }
      return inRange().raw().all(snapshotId, nodeKey, until, limit).map(toVersion)
    },
    statesAt: (keys: readonly number[], snapshot: number): StateRow[] =>
      statesAt()
        .raw()
        .all({ list: listParameter(keys), snapshot })
        .map(toPast),
  }
}

function toVersion([snapshotId, nodeKey, nodeId, op, ...states]: SqlVersion): VersionRow {
  const after = toState(states.slice(0, STATE_LENGTH) as SqlState)
  return { snapshotId, nodeKey, nodeId, op, old: toState(states.slice(STATE_LENGTH) as SqlState), new: after }
}

function toPast([key, snapshotId, digest, parentKey, ...found]: SqlPast): StateRow {
  const state = toState(found)
  return { key, snapshotId, state: state && { ...state, digest, parentKey } }
}

function toState([
  textKey,
  parentId,
  position,
  type,
  format,
  label,
  text,
  links,
]: SqlState): VersionState | null {
  return textKey === null ? null : { parentId, position, type, format, label, text: text ?? '', links }
}

/** As it is stored. */
type Unparsed<R> = Omit<R, 'attributes'> & { attributes: string | null }

const withPiece = booleans<Unparsed<PastDocument>>('isPiece')

/** Those of a version `v`: a piece may have those of the version before. */
const ATTRIBUTES = `coalesce(v.attributes, (SELECT a.attributes FROM document_versions a WHERE a.document_id = v.document_id
  AND a.snapshot_id <= v.snapshot_id AND a.attributes IS NOT NULL ORDER BY a.snapshot_id DESC LIMIT 1))`

/** What documents were at each snapshot. Not of source files: those are on disk, and their nodes have versions. */
export function documentVersionReads({ db }: Context) {
  const history = statement<[number, number, number], Unparsed<DocumentVersion>>(
    db,
    `SELECT v.snapshot_id AS snapshotId, s.created_at AS createdAt, v.state, ${ATTRIBUTES} AS attributes,
       CASE WHEN v.lead IS NULL THEN t.body ELSE ${appendedText('v.document_id', 'v.snapshot_id')} END AS text
     FROM document_versions v JOIN snapshots s ON s.id = v.snapshot_id LEFT JOIN texts t ON t.id = v.text_id
     WHERE v.document_id = ? AND v.snapshot_id < ? ORDER BY v.snapshot_id DESC ${limitOf()}`,
  )
  const past = statement<[{ target: number }], Unparsed<PastDocument>>(
    db,
    `SELECT c.document_id AS documentId, coalesce(v.state, 'removed') AS state, ${ATTRIBUTES} AS attributes, v.lead IS NOT NULL AS isPiece,
       (SELECT s.created_at FROM snapshots s WHERE s.id = v.snapshot_id) AS updatedAt,
       ${hexOrNull('v.digest')} AS digest, ${hexOrNull('t.digest')} AS textDigest,
       coalesce(octet_length(t.body), 0) AS textBytes
     FROM (SELECT DISTINCT document_id FROM document_versions WHERE snapshot_id > @target) c
     CROSS JOIN documents d ON d.id = c.document_id
     LEFT JOIN document_versions v ON v.document_id = c.document_id AND v.snapshot_id = (
       SELECT max(e.snapshot_id) FROM document_versions e WHERE e.document_id = c.document_id AND e.snapshot_id <= @target)
     LEFT JOIN texts t ON t.id = v.text_id`,
  )
  return {
    documentVersions: (
      documentId: number,
      { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
    ): DocumentVersion[] =>
      history()
        .all(documentId, before, limit)
        .map((row) => ({ ...row, attributes: toAttributes(row.attributes) ?? {} })),
    changedDocuments: (target: number): PastDocument[] =>
      past()
        .all({ target })
        .map((row) => ({ ...withPiece(row), attributes: toAttributes(row.attributes) })),
  }
}
