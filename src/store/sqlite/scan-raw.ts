import type { RawDocument, RawRows } from '../../core/port/raw-rows.ts'
import type { StoredRows, StoredTable } from '../../core/port/scan.ts'
import { TEXT_BYTES } from './document-texts.ts'

/** How a table is read: what of `table`, with what else, in the order of `key`; `owner`: what its rows belong to. */
export interface Scan<T extends StoredTable> {
  columns: string
  table: string
  joins?: string
  key: readonly string[]
  owner?: string
  where?: string
  /** Missing: the columns are the row. */
  toRow?: (row: never) => StoredRows[T]
}

const DOOR_CLASS = ['kind', 'state', 'archived', 'type', 'importance', 'status']

/** Rows as they are, whatever is in them. */
export const RAW_SCANS: { [T in keyof RawRows]: Scan<T> } = {
  space: {
    columns: `head_id AS headId, lower(hex(state_digest)) AS digest, heat_clock AS clock, heat_ticked_at AS tickedAt,
      heat_frozen AS frozen, cold_below AS coldBelow`,
    table: 'spaces',
    key: ['id'],
    where: 'id = @space',
    toRow: toSpace,
  },
  texts: {
    columns: 't.id AS key, lower(hex(t.digest)) AS digest, t.refs AS "references", t.body AS text',
    table: 'texts t',
    key: ['t.id'],
    owner: 't.id',
  },
  nodeRows: {
    columns:
      'n.key, n.parent_key AS parentKey, n.type, n.tokens, n.text_id AS textKey, n.removed_in AS removedIn',
    table: 'nodes n',
    key: ['n.key'],
    owner: 'n.key',
  },
  nodeStates: {
    columns: `n.key, n.id, p.id AS parentId, n.position, n.type, n.format, n.links, v.label AS ownLabel,
      lower(hex(t.digest)) AS digest, t.body AS text, n.label, lower(hex(n.mark)) AS mark`,
    table: 'nodes n',
    joins: `JOIN texts t ON t.id = n.text_id LEFT JOIN nodes p ON p.key = n.parent_key
      LEFT JOIN versions v ON v.node_key = n.key AND v.snapshot_id =
        (SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = n.key)`,
    key: ['n.key'],
    owner: 'n.key',
    where: 'n.removed_in IS NULL',
  },
  versionRows: {
    columns: `v.node_key AS nodeKey, v.snapshot_id AS snapshotId, v.op, v.parent_key AS parentKey, v.position, v.type,
      v.format, v.label, v.links, v.text_id AS textKey`,
    table: 'versions v',
    key: ['v.node_key', 'v.snapshot_id'],
    owner: 'v.node_key',
  },
  heat: {
    columns: `h.node_key AS key, h.value, h.clock, h.pinned, h.accesses, h.accessed_at AS accessedAt, h.told, h.coldness`,
    table: 'heat h',
    key: ['h.node_key'],
    owner: 'h.node_key',
  },
  linkRows: {
    columns: 'l.id, l.source_key AS sourceKey, l.origin, l.target_key AS targetKey, l.asleep',
    table: 'links l',
    key: ['l.source_key', 'l.id'],
    owner: 'l.source_key',
  },
  documentRows: {
    columns: `d.id, d.kind, d.owner_id = @owner AS isOwn, d.collection, d.name, d.state, d.text_id AS textKey, d.digest IS NOT NULL AS hasDigest, d.attributes,
      d.appended, d.accesses, d.accessed_at AS accessedAt, CASE d.kind WHEN 'record' THEN ${TEXT_BYTES} END AS textBytes`,
    table: 'documents d',
    joins: 'LEFT JOIN texts t ON t.id = d.text_id',
    key: ['d.id'],
    owner: 'd.id',
    toRow: toDocument,
  },
  documentVersionRows: {
    columns: `v.document_id AS documentId, v.snapshot_id AS snapshotId, v.state, v.text_id AS textKey, v.attributes, v.lead,
      v.trail`,
    table: 'document_versions v',
    key: ['v.document_id', 'v.snapshot_id'],
    owner: 'v.document_id',
  },
  counters: { columns: 'name, value', table: 'counters', key: ['name'], where: 'space_id = @space' },
  doorCounts: {
    columns: `${DOOR_CLASS.join(', ')}, count, bytes`,
    table: 'door_counts',
    key: DOOR_CLASS,
    where: 'owner_id = @owner',
  },
  tagCounts: {
    columns: 'kind, tag, count',
    table: 'tag_counts',
    key: ['kind', 'tag'],
    where: 'owner_id = @owner',
  },
  fileFacts: {
    columns: `root, path, size, modified_at AS modifiedAt, changed_at AS changedAt, scanned_at AS scannedAt,
      CASE typeof(digest) WHEN 'blob' THEN lower(hex(digest)) END AS digest, line, reason`,
    table: 'files',
    key: ['root', 'path'],
    where: 'space_id = @space',
  },
  leases: {
    columns: 'name, holder, detail, expires_at AS expiresAt',
    table: 'leases',
    key: ['name'],
    where: 'space_id = @space',
  },
}

type SqlSpace = Pick<RawRows['space'], 'headId' | 'digest'> &
  Omit<RawRows['space']['heat'], 'frozen'> & { frozen: number }

function toSpace({ headId, digest, frozen, ...heat }: SqlSpace): RawRows['space'] {
  return { headId, digest, heat: { ...heat, frozen: frozen === 1 } }
}

type SqlDocument = Omit<RawDocument, 'isOwn' | 'file' | 'hasDigest' | 'textBytes' | 'tags'> & {
  collection: string
  name: string
  isOwn: number
  hasDigest: number
  textBytes: number | null
}

/** Without its tags. */
function toDocument({ collection, name, textBytes, ...row }: SqlDocument): RawDocument {
  const file = row.kind === 'source' ? { root: collection, path: name } : null
  const flags = { isOwn: row.isOwn === 1, hasDigest: row.hasDigest === 1 }
  return { ...row, ...flags, file, textBytes: textBytes ?? 0, tags: [] }
}
