import type { DocumentKind, Format, NodeType, Op } from '../../core/model.ts'
import type { DocumentState, SnapshotRow } from '../../core/port/store.ts'
import type {
  ManualLink,
  TransferCounts,
  TransferDocument,
  TransferDocumentVersion,
  TransferNode,
  TransferSpace,
  TransferVersion,
} from '../../core/port/transfer.ts'
import { type Context, listParameter } from './context.ts'
import { toAttributes } from './document-tags.ts'
import {
  DOCUMENT_NODE_COLUMNS,
  DOCUMENT_NODE_TABLES,
  type SqlDocumentNode,
  type SqlSnapshot,
  toAddress,
  toDocumentNode,
  toSnapshot,
} from './rows.ts'
import { limitOf, statement } from './statements.ts'

interface SqlSpace extends TransferCounts {
  head_id: number | null
  heat_clock: number
  heat_ticked_at: number
  heat_frozen: number
  cold_below: number
}
interface SqlDocument {
  id: number
  kind: DocumentKind
  collection: string
  name: string
  state: DocumentState
  digest: Buffer | null
  body: string | null
  revision: number
  created_at: number
  updated_at: number
  attributes: string | null
  appended: number
  accesses: number
  accessed_at: number | null
}
interface SqlDocumentVersion {
  document_id: number
  snapshot_id: number
  state: DocumentState
  digest: Buffer | null
  body: string | null
  kind: DocumentKind
  attributes: string | null
  lead: string | null
  trail: string | null
}
interface SqlTransferNode extends SqlDocumentNode {
  value: number
  clock: number
  pinned: number
  accesses: number
  accessed_at: number | null
  told: number
}
interface SqlLink {
  source_key: number
  label: string
  weight: number
  source: string
  target_id: string
  created_at: number
}
interface SqlVersion {
  node_key: number
  snapshot_id: number
  op: Op
  parent_key: number | null
  position: string
  type: NodeType
  format: Format
  label: string | null
  body: string | null
  text_id: number | null
  links: string | null
}

type Page = { after: number; limit: number }

/** Everything a memory holds, in the order in which an export tells it. */
export function transferReads({ db, spaceId, ownerId }: Context) {
  const space = statement<[number], SqlSpace>(
    db,
    `SELECT head_id, heat_clock, heat_ticked_at, heat_frozen, cold_below,
       (SELECT count(*) FROM snapshots) AS snapshots, (SELECT count(*) FROM documents) AS documents,
       (SELECT count(*) FROM document_versions) AS documentVersions, (SELECT count(*) FROM nodes) AS nodes,
       (SELECT count(*) FROM versions) AS versions
     FROM spaces WHERE id = ?`,
  )
  const snapshots = statement<[number, number, number], SqlSnapshot>(
    db,
    `SELECT id, parent_id, cursor_hash, author, operation, message, root, created_at FROM snapshots
     WHERE space_id = ? AND id > ? ORDER BY id ${limitOf()}`,
  )
  const documents = statement<[number, number, number, number], SqlDocument>(
    db,
    `SELECT d.id, d.kind, d.collection, d.name, d.state, d.digest, t.body, d.revision, d.created_at, d.updated_at,
       d.attributes, d.appended, d.accesses, d.accessed_at
     FROM documents d LEFT JOIN texts t ON t.id = d.text_id
     WHERE d.space_id = ? AND d.owner_id = ? AND d.id > ? ORDER BY d.id ${limitOf()}`,
  )
  const documentVersions = statement<[number, number, number], SqlDocumentVersion>(
    db,
    `SELECT v.document_id, v.snapshot_id, v.state, v.digest, t.body, d.kind, v.attributes, v.lead, v.trail
     FROM document_versions v JOIN documents d ON d.id = v.document_id LEFT JOIN texts t ON t.id = v.text_id
     WHERE v.document_id = ? AND v.snapshot_id > ? ORDER BY v.snapshot_id ${limitOf()}`,
  )
  const keys = statement<[number], { key: number }>(
    db,
    'SELECT key FROM nodes WHERE document_id = ? ORDER BY key',
  )
  const nodes = statement<[string], SqlTransferNode>(
    db,
    `SELECT ${DOCUMENT_NODE_COLUMNS}, h.value, h.clock, h.pinned, h.accesses, h.accessed_at, h.told
     FROM json_each(?) j CROSS JOIN ${DOCUMENT_NODE_TABLES} JOIN heat h ON h.node_key = n.key
     WHERE n.key = j.value ORDER BY n.key`,
  )
  const links = statement<[string], SqlLink>(
    db,
    `SELECT l.source_key, l.label, l.weight, l.source, l.target_id, l.created_at
     FROM json_each(?) j CROSS JOIN links l ON l.source_key = j.value AND l.origin = 'manual'
     ORDER BY l.source_key, l.place`,
  )
  const versions = statement<[string, number, number, number], SqlVersion>(
    db,
    `SELECT v.node_key, v.snapshot_id, v.op, p.key AS parent_key, v.position, v.type, v.format, v.label, t.body,
       v.text_id, v.links
     FROM json_each(?) j CROSS JOIN versions v ON v.node_key = j.value
     LEFT JOIN texts t ON t.id = v.text_id LEFT JOIN nodes p ON p.key = v.parent_key
     WHERE (v.node_key, v.snapshot_id) > (?, ?) ORDER BY v.node_key, v.snapshot_id ${limitOf()}`,
  )

  return {
    transferSpace(): TransferSpace {
      return toSpace(space().get(spaceId) as SqlSpace)
    },
    transferSnapshots: ({ after, limit }: Page): SnapshotRow[] =>
      snapshots().all(spaceId, after, limit).map(toSnapshot),
    transferDocuments: ({ after, limit }: Page): TransferDocument[] =>
      documents().all(spaceId, ownerId, after, limit).map(toDocument),
    transferDocumentVersions: (documentId: number, { after, limit }: Page): TransferDocumentVersion[] =>
      documentVersions().all(documentId, after, limit).map(toDocumentVersion),
    transferKeys: (documentId: number): number[] =>
      keys()
        .all(documentId)
        .map((row) => row.key),
    transferNodes(wanted: number[]): TransferNode[] {
      const list = listParameter(wanted)
      const made = Map.groupBy(links().all(list), (row) => row.source_key)
      return nodes()
        .all(list)
        .map((row) => toNode(row, (made.get(row.key) ?? []).map(toLink)))
    },
    transferVersions: (
      wanted: number[],
      { limit, after }: { limit: number; after: { nodeKey: number; snapshotId: number } },
    ): TransferVersion[] =>
      versions().all(listParameter(wanted), after.nodeKey, after.snapshotId, limit).map(toVersion),
  }
}

function toSpace(row: SqlSpace): TransferSpace {
  const { head_id, heat_clock, heat_ticked_at, heat_frozen, cold_below, ...counts } = row
  return {
    headId: head_id,
    heat: { clock: heat_clock, tickedAt: heat_ticked_at, frozen: heat_frozen === 1, coldBelow: cold_below },
    counts,
  }
}

function toDocument(row: SqlDocument): TransferDocument {
  return {
    id: row.id,
    address: toAddress(row.kind, row.collection, row.name),
    state: row.state,
    digest: row.digest?.toString('hex') ?? null,
    text: row.body,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    door: row.attributes === null ? null : toDoor(row),
  }
}

function toDoor({ attributes, appended, accesses, accessed_at }: SqlDocument): TransferDocument['door'] {
  return {
    attributes: toAttributes(attributes),
    appended: appended === 1,
    accesses,
    accessedAt: accessed_at,
  }
}

function toDocumentVersion(row: SqlDocumentVersion): TransferDocumentVersion {
  return {
    documentId: row.document_id,
    snapshotId: row.snapshot_id,
    state: row.state,
    digest: row.digest?.toString('hex') ?? null,
    text: row.body,
    door: row.kind === 'note' ? null : toVersionDoor(row),
  }
}

function toVersionDoor({ attributes, lead, trail }: SqlDocumentVersion): TransferDocumentVersion['door'] {
  return { attributes: attributes === null ? null : toAttributes(attributes), lead, trail }
}

function toNode(row: SqlTransferNode, links: ManualLink[]): TransferNode {
  const { value, clock, accesses } = row
  return {
    key: row.key,
    id: row.id,
    documentId: row.document_id,
    parentKey: row.parent_key,
    removed: row.removed_in === null ? null : { in: row.removed_in, type: row.type, format: row.format },
    heat: {
      value,
      clock,
      pinned: row.pinned === 1,
      accesses,
      accessedAt: row.accessed_at,
      told: row.told === 1,
    },
    overlay: toDocumentNode(row).overlay,
    links,
  }
}

function toLink({ label, weight, source, target_id, created_at }: SqlLink): ManualLink {
  return { label, weight, source, id: target_id, createdAt: created_at }
}

function toVersion(row: SqlVersion): TransferVersion {
  const { node_key: nodeKey, snapshot_id: snapshotId, op } = row
  if (row.text_id === null) return { nodeKey, snapshotId, op, state: null }
  const { parent_key: parentKey, position, type, format, label, links } = row
  return {
    nodeKey,
    snapshotId,
    op,
    state: { parentKey, position, type, format, label, links, text: row.body ?? '' },
  }
}
