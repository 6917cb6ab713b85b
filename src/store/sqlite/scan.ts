import { toAddress } from '../../core/address.ts'
import type { DocumentKind, Format, NodeType, Op } from '../../core/model.ts'
import type { RawDocument } from '../../core/port/raw-rows.ts'
import type { ScanPage, StoredRows, StoredTable } from '../../core/port/scan.ts'
import type { DocumentState } from '../../core/port/store.ts'
import type {
  ManualLink,
  TransferDocument,
  TransferDocumentVersion,
  TransferNode,
  TransferVersion,
} from '../../core/port/transfer.ts'
import { type Context, listParameter } from './context.ts'
import { DOCUMENT_NODE, type SqlDocumentNode, toDocumentNode } from './node-rows.ts'
import { toAttributes, toSnapshot } from './rows.ts'
import { RAW_SCANS, type Scan } from './scan-raw.ts'
import { limitOf, statement, statementsByText } from './statements.ts'

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

const TEXT_OF = (row: string): string => `LEFT JOIN texts t ON t.id = ${row}.text_id`

const SCANS: { [T in StoredTable]: Scan<T> } = {
  ...RAW_SCANS,
  snapshots: {
    columns: 's.id, s.parent_id, s.cursor_hash, s.author, s.operation, s.message, s.root, s.created_at',
    table: 'snapshots s',
    key: ['s.id'],
    where: 's.space_id = @space',
    toRow: toSnapshot,
  },
  documents: {
    columns: `d.id, d.kind, d.collection, d.name, d.state, d.digest, t.body, d.revision, d.created_at, d.updated_at,
      d.attributes, d.appended, d.accesses, d.accessed_at`,
    table: 'documents d',
    joins: TEXT_OF('d'),
    key: ['d.id'],
    where: 'd.space_id = @space AND d.owner_id = @owner',
    toRow: toDocument,
  },
  documentVersions: {
    columns: `v.document_id, v.snapshot_id, v.state, v.digest, t.body, d.kind, v.attributes, v.lead, v.trail`,
    table: 'document_versions v',
    joins: `JOIN documents d ON d.id = v.document_id ${TEXT_OF('v')}`,
    key: ['v.document_id', 'v.snapshot_id'],
    owner: 'v.document_id',
    toRow: toDocumentVersion,
  },
  members: {
    columns: 'n.document_id AS documentId, n.key',
    table: 'nodes n',
    key: ['n.document_id', 'n.key'],
    owner: 'n.document_id',
  },
  nodes: {
    columns: `${DOCUMENT_NODE}, h.value, h.clock, h.pinned, h.accesses, h.accessed_at, h.told`,
    table: 'nodes n',
    joins: `LEFT JOIN texts t ON t.id = n.text_id LEFT JOIN overlays o ON o.node_key = n.key JOIN heat h ON h.node_key = n.key`,
    key: ['n.key'],
    owner: 'n.key',
    toRow: toNode,
  },
  versions: {
    columns: `v.node_key, v.snapshot_id, v.op, p.key AS parent_key, v.position, v.type, v.format, v.label, t.body,
      v.text_id, v.links`,
    table: 'versions v',
    joins: `${TEXT_OF('v')} LEFT JOIN nodes p ON p.key = v.parent_key`,
    key: ['v.node_key', 'v.snapshot_id'],
    owner: 'v.node_key',
    toRow: toVersion,
  },
}

function scanSql(
  { columns, table, joins = '', key, owner, where = 'true' }: Scan<StoredTable>,
  { isOf, isAfter }: { isOf: boolean; isAfter: boolean },
): string {
  const from = isOf ? `json_each(@of) j CROSS JOIN ${table} ON ${owner} = j.value` : table
  const after = isAfter ? `AND (${key.join(', ')}) > (${key.map((_, at) => `@after${at}`).join(', ')})` : ''
  return `SELECT ${columns} FROM ${from} ${joins} WHERE ${where} ${after}
    ORDER BY ${key.join(', ')} ${limitOf('@limit')}`
}

const COUNTED = {
  snapshots: 'snapshots',
  documents: 'documents',
  documentVersions: 'document_versions',
  nodes: 'nodes',
  versions: 'versions',
  overlays: 'overlays',
} as const

/** Everything a memory holds, table by table. */
export function scanReads({ db, spaceId, ownerId }: Context) {
  const ask = statementsByText(db)
  const links = statement<[string], SqlLink>(
    db,
    `SELECT l.source_key, l.label, l.weight, l.source, l.target_id, l.created_at
     FROM json_each(?) j CROSS JOIN links l ON l.source_key = j.value AND l.origin = 'manual'
     ORDER BY l.source_key, l.place`,
  )
  function withLinks(rows: TransferNode[]): TransferNode[] {
    const made = Map.groupBy(links().all(listParameter(rows.map(({ key }) => key))), (row) => row.source_key)
    return rows.map((row) => ({ ...row, links: (made.get(row.key) ?? []).map(toLink) }))
  }
  const tags = statement<[string], { id: number; tag: string; word: string }>(
    db,
    `SELECT g.document_id AS id, g.tag, g.word FROM json_each(?) j CROSS JOIN document_tags g ON g.document_id = j.value`,
  )
  function withTags(rows: RawDocument[]): RawDocument[] {
    const found = Map.groupBy(tags().all(listParameter(rows.map(({ id }) => id))), (row) => row.id)
    return rows.map((row) => ({
      ...row,
      tags: (found.get(row.id) ?? []).map(({ tag, word }) => ({ tag, word })),
    }))
  }
  function scan<T extends StoredTable>(table: T, page: ScanPage): StoredRows[T][]
  function scan(table: StoredTable, { of, after = [], limit }: ScanPage) {
    const asked: Scan<StoredTable> = SCANS[table]
    const rows = ask<never>(scanSql(asked, { isOf: of !== undefined, isAfter: after.length > 0 }), {
      ...{ space: spaceId, owner: ownerId, of: listParameter(of ?? []), limit },
      ...Object.fromEntries(after.map((part, at) => [`after${at}`, part])),
    })
    const found = asked.toRow ? rows.map(asked.toRow) : rows
    if (table === 'nodes') return withLinks(found as TransferNode[])
    return table === 'documentRows' ? withTags(found as RawDocument[]) : found
  }
  return {
    scan,
    countRows(table: keyof typeof COUNTED): number {
      const [row] = ask<{ count: number }>(`SELECT count(*) AS count FROM ${COUNTED[table]}`, {})
      return row?.count ?? 0
    },
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

/** Without its links. */
function toNode(row: SqlTransferNode): TransferNode {
  const { value, clock, accesses } = row
  return {
    key: row.key,
    id: row.id,
    documentId: row.documentId,
    parentKey: row.parentKey,
    removed: row.removedIn === null ? null : { in: row.removedIn, type: row.type, format: row.format },
    heat: {
      value,
      clock,
      pinned: row.pinned === 1,
      accesses,
      accessedAt: row.accessed_at,
      told: row.told === 1,
    },
    overlay: toDocumentNode(row).overlay,
    links: [],
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
