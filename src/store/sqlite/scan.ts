import { toAddress } from '../../core/address.ts'
import type { Attributes } from '../../core/port/doors.ts'
import type { FileFacts } from '../../core/port/file-facts.ts'
import type { HeatClock } from '../../core/port/heat.ts'
import type { SnapshotRange } from '../../core/port/history.ts'
import {
  SCANNED,
  type ScanKey,
  type ScannedDocument,
  type ScanPage,
  type StoredRows,
  type StoredTable,
  type TextSize,
  type VersionTable,
} from '../../core/port/scan.ts'
import type { OverlayPut } from '../../core/port/write-set.ts'
import { type Context, listParameter } from './database/context.ts'
import {
  booleans,
  type Columns,
  columnsOf,
  hexOf,
  hexOrNull,
  inScope,
  TABLES,
  toAttributes,
  toClock,
  toHeat,
  toMark,
} from './database/rows.ts'
import { limitOf, statements } from './database/statements.ts'
import { TEXT_BYTES } from './documents/document-texts.ts'
import { toLink } from './links/link-rows.ts'
import { overlayJson } from './nodes/node-fields.ts'

/** How a table `r` is read: its columns by the names of fields. Without `toRow` the columns are the row. */
interface Scan<T extends StoredTable> {
  table: string
  columns: Record<string, string>
  select: string
  where?: string
  toRow?: (row: never) => StoredRows[T]
}

/** `others` are expressions. */
function scanOf<T extends StoredTable>(
  table: string,
  columns: Columns,
  { others, ...more }: Partial<Scan<T>> & { others?: Columns } = {},
): Scan<T> {
  const own = Object.entries(columns).map(([name, column]) => [name, `r.${column}`])
  const all = { ...Object.fromEntries(own), ...others }
  const select = Object.entries(all).map(([name, column]) => `${column} AS "${name}"`)
  return { table, columns: all, select: select.join(', '), ...more }
}

const DIGEST = hexOf('r.digest')
const DIGEST_OR_NULL = hexOrNull('r.digest')
const IN_SPACE = { where: 'r.space_id = @space' }
const OWN = { where: 'r.owner_id = @owner' }
const OWN_TEXT_BYTES = `CASE WHEN r.text_id IS NOT NULL OR r.appended THEN
  (SELECT ${TEXT_BYTES} FROM documents d LEFT JOIN texts t ON t.id = d.text_id WHERE d.id = r.id) END`

const SCANS: { [T in StoredTable]: Scan<T> } = {
  space: scanOf(
    'spaces',
    { ...columnsOf('headId digest=state_digest'), ...TABLES.heatClock },
    { where: 'r.id = @space', toRow: toSpace },
  ),
  snapshots: scanOf('snapshots', TABLES.snapshots, IN_SPACE),
  texts: scanOf('texts', columnsOf('key=id references=refs text=body'), { others: { digest: DIGEST } }),
  documents: scanOf('documents', TABLES.documents, {
    others: {
      digest: DIGEST_OR_NULL,
      isOwn: `${IN_SPACE.where} AND ${OWN.where}`,
      ownTextBytes: OWN_TEXT_BYTES,
    },
    toRow: toDocument,
  }),
  documentVersions: scanOf('document_versions', TABLES.documentVersions, {
    others: { digest: DIGEST_OR_NULL },
    toRow: (row: StoredRows['documentVersions']) =>
      Object.assign(row, { attributes: readAttributes(row.attributes) }),
  }),
  tags: scanOf('document_tags', columnsOf('documentId tag word')),
  moves: scanOf('document_moves', TABLES.moves),
  checkpoints: scanOf('checkpoints', TABLES.checkpoints, IN_SPACE),
  nodes: scanOf('nodes', TABLES.nodes, {
    toRow: (row: StoredRows['nodes']) => Object.assign(row, { mark: toMark(row.mark) }),
  }),
  versions: scanOf('versions', TABLES.versions),
  heat: scanOf('heat', { key: 'node_key', ...TABLES.heat }, { toRow: toHeat }),
  links: scanOf('links', TABLES.links, { toRow: toLink<StoredRows['links']> }),
  overlays: scanOf('overlays', columnsOf('nodeKey'), {
    others: { overlay: overlayJson('r') },
    toRow: toOverlay,
  }),
  counters: scanOf('counters', columnsOf('name value'), IN_SPACE),
  doorCounts: scanOf('door_counts', columnsOf('kind state archived type importance status count bytes'), OWN),
  tagCounts: scanOf('tag_counts', columnsOf('kind tag count'), OWN),
  userCounts: scanOf('user_counts', columnsOf('userId count bytes'), OWN),
  fileFacts: scanOf('files', TABLES.fileFacts, {
    ...IN_SPACE,
    others: { digest: `CASE typeof(r.digest) WHEN 'blob' THEN ${DIGEST} END` },
    toRow: toFileFacts,
  }),
  leases: scanOf('leases', TABLES.leases, IN_SPACE),
  audit: scanOf('audit', TABLES.audit, { ...IN_SPACE, others: { hash: hexOf('r.hash') } }),
  auditHead: scanOf('spaces', TABLES.auditHead, {
    where: 'r.id = @space',
    others: { hash: hexOf('r.audit_hash'), removedHash: hexOf('r.audit_removed_hash') },
  }),
}

function scanSql<T extends StoredTable>(table: T, { of = {}, after = [] }: ScanPage<T>): string {
  const { table: name, columns, select, where = 'true' }: Scan<T> = SCANS[table]
  const key = SCANNED[table].key.map((part) => columns[part])
  const parts = [
    where,
    ...Object.keys(of).map((part) => `${columns[part]} IN (SELECT value FROM json_each(@${part}))`),
    ...(after.length > 0 ? [`(${key}) > (${key.map((_, at) => `@after${at}`)})`] : []),
  ]
  return `SELECT ${select} FROM ${name} r WHERE ${parts.join(' AND ')}
    ${key.length > 0 ? `ORDER BY ${key}` : ''} ${limitOf('@limit')}`
}

/** `octet_length` does not read the text. */
const TEXT_SIZES = `SELECT t.id AS key, ${hexOf('t.digest')} AS digest, t.refs AS "references", octet_length(t.body) AS bytes
  FROM json_each(@list) j CROSS JOIN texts t ON t.id = j.value`

/** Everything a memory holds, table by table. */
export function scanReads({ db, spaceId: space, ownerId: owner }: Context) {
  const ask = statements(db)
  return {
    scan<T extends StoredTable>(table: T, page: ScanPage<T>): StoredRows[T][] {
      const { of = {}, after = [], limit } = page
      const lists = Object.entries<ScanKey>(of).map(([name, list]) => [name, listParameter(list)])
      const key = after.map((part, at) => [`after${at}`, part])
      const rows = ask<never>(scanSql(table, page), {
        ...{ space, owner, limit },
        ...Object.fromEntries([...lists, ...key]),
      })
      const { toRow } = SCANS[table]
      return toRow ? rows.map(toRow) : rows
    },
    scanBack<T extends VersionTable>(
      table: T,
      { since, until }: SnapshotRange,
      limit: number,
    ): StoredRows[T][] {
      const { table: name, columns, select, toRow }: Scan<T> = SCANS[table]
      const owner = columns[SCANNED[table].key[0]]
      const rows = ask<never>(
        `SELECT ${select} FROM ${name} r WHERE r.snapshot_id > @since AND r.snapshot_id <= @until
         ORDER BY r.snapshot_id DESC, ${owner} DESC ${limitOf('@limit')}`,
        { since, until, limit },
      )
      return toRow ? rows.map(toRow) : rows
    },
    textSizes: (keys: readonly number[]): TextSize[] =>
      ask<TextSize>(TEXT_SIZES, { list: listParameter(keys) }),
    listFileFacts(root: string, scope = ''): FileFacts[] {
      const { table, select, where } = SCANS.fileFacts
      const within = scope === '' ? '' : `AND ${inScope('r.path')}`
      const sql = `SELECT ${select} FROM ${table} r WHERE ${where} AND r.root = @root ${within} ORDER BY r.path`
      const rows = ask<SqlFileFacts>(sql, { space, root, scope }).map(toFileFacts)
      return rows.map(({ root: _, ...facts }) => facts as FileFacts)
    },
    countRows(table: StoredTable): number {
      const [row] = ask<{ count: number }>(`SELECT count(*) AS count FROM ${SCANS[table].table}`, {})
      return row?.count ?? 0
    },
  }
}

function toSpace(row: HeatClock & { headId: number | null; digest: unknown }): StoredRows['space'] {
  const { headId, digest, ...heat } = row
  return { headId, digest: toMark(digest), heat: toClock(heat) }
}

interface SqlDocument extends Omit<ScannedDocument, 'address' | 'attributes'> {
  collection: string
  name: string
  attributes: unknown
}
const withFlags = booleans<SqlDocument>('isOwn', 'appended')

function toDocument(found: SqlDocument): ScannedDocument {
  const { collection, name, attributes, ...row } = withFlags(found)
  return {
    ...row,
    address: orUndefined(() => toAddress(row.kind, collection, name)),
    attributes: readAttributes(attributes),
    ownTextBytes: row.ownTextBytes ?? 0,
  }
}

/** Undefined: they cannot be read. */
export function readAttributes(json: unknown): Attributes | null | undefined {
  const isText = typeof json === 'string' || json === null
  return isText ? orUndefined(() => toAttributes(json)) : undefined
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function toOverlay({ nodeKey, overlay }: { nodeKey: number; overlay: string }): OverlayPut {
  return { nodeKey, ...JSON.parse(overlay) }
}

type SqlFileFacts = Omit<StoredRows['fileFacts'], 'failure'> & { line: unknown; reason: unknown }

function toFileFacts({ line, reason, ...row }: SqlFileFacts): StoredRows['fileFacts'] {
  return { ...row, failure: line === null && reason === null ? null : { line, reason } }
}
