import type { Attributes } from '../../core/port/doors.ts'
import type { HeatClock } from '../../core/port/heat.ts'
import {
  SCANNED,
  type ScannedDocument,
  type ScanPage,
  type StoredRows,
  type StoredTable,
} from '../../core/port/scan.ts'
import type { OverlayPut } from '../../core/port/write-set.ts'
import { type Context, listParameter } from './context.ts'
import { toAttributes } from './document-tags.ts'
import { toMark } from './marks.ts'
import { type SqlBase, toAddress, toBase } from './rows.ts'
import { limitOf, statementsByText } from './statements.ts'
import { TEXT_BYTES } from './text-bytes.ts'

/** How a table is read: what columns, by the names that rows have for them. Without `toRow` the columns are the row. */
interface Scan<T extends StoredTable> {
  from: string
  columns: Record<string, string>
  where?: string
  toRow?: (row: never) => StoredRows[T]
}

/** Columns that rows have the same names for, but for the case, and others. */
function columns(names: string, others: Record<string, string> = {}, table = 'r'): Record<string, string> {
  const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const same = names.split(' ').map((name) => [name, `${table}.${snakeCase(name)}`])
  return { ...Object.fromEntries(same), ...others }
}
const hexOf = (column: string): string => `lower(hex(${column}))`
const hexOrNull = (column: string): string => `nullif(${hexOf(column)}, '')`
const IN_SPACE = 'r.space_id = @space'
const OWN = 'r.owner_id = @owner'

const SCANS: { [T in StoredTable]: Scan<T> } = {
  space: {
    from: 'spaces r',
    columns: columns('headId coldBelow', {
      digest: 'r.state_digest',
      clock: 'r.heat_clock',
      tickedAt: 'r.heat_ticked_at',
      frozen: 'r.heat_frozen',
    }),
    where: 'r.id = @space',
    toRow: toSpace,
  },
  snapshots: {
    from: 'snapshots r',
    columns: columns('id parentId cursorHash author operation message root createdAt'),
    where: IN_SPACE,
  },
  texts: {
    from: 'texts r',
    columns: { key: 'r.id', digest: hexOf('r.digest'), references: 'r.refs', text: 'r.body' },
  },
  documents: {
    from: 'documents d LEFT JOIN texts t ON t.id = d.text_id',
    columns: columns(
      'id kind collection name state revision createdAt updatedAt attributes appended accesses accessedAt',
      {
        isOwn: 'd.owner_id = @owner',
        textKey: 'd.text_id',
        textBytes: `CASE d.kind WHEN 'record' THEN ${TEXT_BYTES} END`,
        digest: hexOrNull('d.digest'),
      },
      'd',
    ),
    toRow: toDocument,
  },
  documentVersions: {
    from: 'document_versions r',
    columns: columns('documentId snapshotId state attributes lead trail', {
      textKey: 'r.text_id',
      digest: hexOrNull('r.digest'),
    }),
    toRow: toDocumentVersion,
  },
  tags: { from: 'document_tags r', columns: columns('documentId tag word') },
  nodes: {
    from: 'nodes r',
    columns: columns(
      'key id documentId parentKey position type format label name tokens links mark removedIn',
      { textKey: 'r.text_id' },
    ),
    toRow: toNode,
  },
  versions: {
    from: 'versions r',
    columns: columns('nodeKey snapshotId op parentKey position type format label links', {
      textKey: 'r.text_id',
    }),
  },
  heat: {
    from: 'heat r',
    columns: columns('value clock pinned accesses accessedAt told coldness', { key: 'r.node_key' }),
    toRow: withFlags<StoredRows['heat']>('pinned', 'told'),
  },
  links: {
    from: 'links r',
    columns: columns(
      'id sourceKey origin place label source name file section weight targetKey asleep createdAt',
      { wantedId: 'r.target_id' },
    ),
    toRow: withFlags<StoredRows['links']>('asleep'),
  },
  overlays: {
    from: 'overlays r',
    columns: columns('nodeKey operation', {
      ...{ base_parent_key: 'r.parent_key', base_position: 'r.position', base_type: 'r.type' },
      ...{ base_format: 'r.format', base_label: 'r.label', base_digest: 'r.digest' },
    }),
    toRow: toOverlay,
  },
  counters: { from: 'counters r', columns: columns('name value'), where: IN_SPACE },
  doorCounts: {
    from: 'door_counts r',
    columns: columns('kind state archived type importance status count bytes'),
    where: OWN,
  },
  tagCounts: { from: 'tag_counts r', columns: columns('kind tag count'), where: OWN },
  fileFacts: {
    from: 'files r',
    columns: columns('root path modifiedAt changedAt inode scannedAt parser line reason', {
      sizeBytes: 'r.size',
      digest: `CASE typeof(r.digest) WHEN 'blob' THEN ${hexOf('r.digest')} END`,
    }),
    where: IN_SPACE,
    toRow: toFileFacts,
  },
  leases: { from: 'leases r', columns: columns('name holder detail expiresAt'), where: IN_SPACE },
}

function scanSql<T extends StoredTable>(table: T, { of = {}, after = [] }: ScanPage<T>): string {
  const { from, columns, where = 'true' }: Scan<T> = SCANS[table]
  const select = Object.entries(columns).map(([name, column]) => `${column} AS "${name}"`)
  const key = SCANNED[table].key.map((name) => columns[name])
  const parts = [
    where,
    ...Object.keys(of).map((name) => `${columns[name]} IN (SELECT value FROM json_each(@${name}))`),
    ...(after.length > 0 ? [`(${key}) > (${key.map((_, at) => `@after${at}`)})`] : []),
  ]
  return `SELECT ${select} FROM ${from} WHERE ${parts.join(' AND ')}
    ${key.length > 0 ? `ORDER BY ${key}` : ''} ${limitOf('@limit')}`
}

/** Everything a memory holds, table by table. */
export function scanReads({ db, spaceId: space, ownerId: owner }: Context) {
  const ask = statementsByText(db)
  return {
    scan<T extends StoredTable>(table: T, page: ScanPage<T>): StoredRows[T][] {
      const { of = {}, after = [], limit } = page
      const lists = Object.entries<readonly number[]>(of).map(([name, list]) => [name, listParameter(list)])
      const key = after.map((part, at) => [`after${at}`, part])
      const rows = ask<never>(scanSql(table, page), {
        ...{ space, owner, limit },
        ...Object.fromEntries([...lists, ...key]),
      })
      const { toRow } = SCANS[table]
      return toRow ? rows.map(toRow) : rows
    },
    countRows(table: StoredTable): number {
      const { from, where = 'true' }: Scan<StoredTable> = SCANS[table]
      const [row] = ask<{ count: number }>(`SELECT count(*) AS count FROM ${from} WHERE ${where}`, {
        ...{ space, owner },
      })
      return row?.count ?? 0
    },
  }
}

function withFlags<R>(...names: (keyof R)[]): (row: R) => R {
  return (row) => {
    for (const name of names) row[name] = ((row[name] as unknown) !== 0) as R[typeof name]
    return row
  }
}

type SqlSpace = Omit<HeatClock, 'frozen'> & { frozen: number; headId: number | null; digest: unknown }

function toSpace({ headId, digest, frozen, ...heat }: SqlSpace): StoredRows['space'] {
  return { headId, digest: toMark(digest), heat: { ...heat, frozen: frozen === 1 } }
}

interface SqlDocument extends Omit<ScannedDocument, 'address' | 'attributes' | 'isOwn' | 'appended'> {
  collection: string
  name: string
  attributes: unknown
  isOwn: number
  appended: number
}

function toDocument({ collection, name, attributes, ...row }: SqlDocument): ScannedDocument {
  return {
    ...row,
    address: orUndefined(() => toAddress(row.kind, collection, name)),
    attributes: readAttributes(attributes),
    isOwn: row.isOwn === 1,
    appended: row.appended === 1,
    textBytes: row.textBytes ?? 0,
  }
}

function toDocumentVersion(row: StoredRows['documentVersions']): StoredRows['documentVersions'] {
  row.attributes = readAttributes(row.attributes)
  return row
}

/** Undefined: they cannot be read. */
export function readAttributes(json: unknown): Attributes | null | undefined {
  if (json === null) return null
  return typeof json === 'string' ? orUndefined(() => toAttributes(json)) : undefined
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function toNode(row: StoredRows['nodes']): StoredRows['nodes'] {
  row.mark = toMark(row.mark)
  return row
}

function toOverlay({ nodeKey, operation, ...base }: SqlBase & Pick<OverlayPut, 'nodeKey' | 'operation'>) {
  return { nodeKey, operation, base: toBase(base) }
}

type SqlFileFacts = Omit<StoredRows['fileFacts'], 'failure'> & { line: unknown; reason: unknown }

function toFileFacts({ line, reason, ...row }: SqlFileFacts): StoredRows['fileFacts'] {
  return { ...row, failure: line === null && reason === null ? null : { line, reason } }
}
