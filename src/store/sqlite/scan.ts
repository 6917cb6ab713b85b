import { toAddress } from '../../core/address.ts'
import type { Attributes } from '../../core/port/doors.ts'
import type { HeatClock } from '../../core/port/heat.ts'
import {
  SCANNED,
  type ScanKey,
  type ScannedDocument,
  type ScanPage,
  type StoredRows,
  type StoredTable,
} from '../../core/port/scan.ts'
import type { OverlayPut } from '../../core/port/write-set.ts'
import { type Context, listParameter } from './context.ts'
import { TEXT_BYTES } from './document-texts.ts'
import { type SqlHeat, toHeat } from './heat-rows.ts'
import { toMark } from './marks.ts'
import { type SqlBase, toBase } from './node-rows.ts'
import { toAttributes } from './rows.ts'
import { limitOf, statementsByText } from './statements.ts'

/** How a table `r` is read: what columns, by the names that rows have for them. Without `toRow` the columns are the row. */
interface Scan<T extends StoredTable> {
  table: string
  columns: Record<string, string>
  select: string
  where?: string
  toRow?: (row: never) => StoredRows[T]
}

/** `names` that rows have for columns: `parentKey` is `parent_key`, `textKey=text_id` is `text_id`. `others` are made of columns. */
function scanOf<T extends StoredTable>(
  table: string,
  names: string,
  { others, ...more }: Partial<Scan<T>> & { others?: Record<string, string> } = {},
): Scan<T> {
  const pairs = names.split(/\s+/).map((named) => {
    const [name = '', column = snakeCase(name)] = named.split('=')
    return [name, `r.${column}`]
  })
  const columns = { ...Object.fromEntries(pairs), ...others }
  const select = Object.entries(columns).map(([name, column]) => `${column} AS "${name}"`)
  return { table, columns, select: select.join(', '), ...more }
}
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const DIGEST = 'lower(hex(r.digest))'
const DIGEST_OR_NULL = `iif(r.digest IS NULL, NULL, ${DIGEST})`
const IN_SPACE = { where: 'r.space_id = @space' }
const OWN = { where: 'r.owner_id = @owner' }
const RECORD_BYTES = `CASE r.kind WHEN 'record' THEN
  (SELECT ${TEXT_BYTES} FROM documents d LEFT JOIN texts t ON t.id = d.text_id WHERE d.id = r.id) END`

const SCANS: { [T in StoredTable]: Scan<T> } = {
  space: scanOf(
    'spaces',
    'headId digest=state_digest clock=heat_clock tickedAt=heat_ticked_at frozen=heat_frozen coldBelow',
    { where: 'r.id = @space', toRow: toSpace },
  ),
  snapshots: scanOf('snapshots', 'id parentId cursorHash author operation message root createdAt', IN_SPACE),
  texts: scanOf('texts', 'key=id references=refs text=body', { others: { digest: DIGEST } }),
  documents: scanOf(
    'documents',
    `id kind collection name state textKey=text_id revision createdAt updatedAt attributes appended accesses
     accessedAt`,
    {
      others: {
        digest: DIGEST_OR_NULL,
        isOwn: `${IN_SPACE.where} AND ${OWN.where}`,
        textBytes: RECORD_BYTES,
      },
      toRow: toDocument,
    },
  ),
  documentVersions: scanOf(
    'document_versions',
    'documentId snapshotId state textKey=text_id attributes lead trail',
    { others: { digest: DIGEST_OR_NULL }, toRow: toDocumentVersion },
  ),
  tags: scanOf('document_tags', 'documentId tag word'),
  nodes: scanOf(
    'nodes',
    'key id documentId parentKey position type format label name tokens textKey=text_id links mark removedIn',
    { toRow: toNode },
  ),
  versions: scanOf(
    'versions',
    'nodeKey snapshotId op parentKey position type format label textKey=text_id links',
  ),
  heat: scanOf('heat', 'key=node_key value clock pinned accesses accessedAt told coldness', {
    toRow: toHeat<SqlHeat>,
  }),
  links: scanOf(
    'links',
    `id sourceKey origin place label source wantedId=target_id name file section weight targetKey asleep
     createdAt`,
    { toRow: toLink },
  ),
  overlays: scanOf(
    'overlays',
    `nodeKey operation base_parent_key=parent_key base_position=position base_type=type base_format=format
     base_label=label base_digest=digest`,
    { toRow: toOverlay },
  ),
  counters: scanOf('counters', 'name value', IN_SPACE),
  doorCounts: scanOf('door_counts', 'kind state archived type importance status count bytes', OWN),
  tagCounts: scanOf('tag_counts', 'kind tag count', OWN),
  fileFacts: scanOf(
    'files',
    'root path sizeBytes=size modifiedAt changedAt inode scannedAt parser line reason',
    {
      ...IN_SPACE,
      others: { digest: `CASE typeof(r.digest) WHEN 'blob' THEN ${DIGEST} END` },
      toRow: toFileFacts,
    },
  ),
  leases: scanOf('leases', 'name holder detail expiresAt', IN_SPACE),
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

/** Everything a memory holds, table by table. */
export function scanReads({ db, spaceId: space, ownerId: owner }: Context) {
  const ask = statementsByText(db)
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
    countRows(table: StoredTable): number {
      const [row] = ask<{ count: number }>(`SELECT count(*) AS count FROM ${SCANS[table].table}`, {})
      return row?.count ?? 0
    },
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

function toLink(row: Omit<StoredRows['links'], 'asleep'> & { asleep: number }): StoredRows['links'] {
  return { ...row, asleep: row.asleep !== 0 }
}

function toOverlay({ nodeKey, operation, ...base }: SqlBase & Pick<OverlayPut, 'nodeKey' | 'operation'>) {
  return { nodeKey, operation, base: toBase(base) }
}

type SqlFileFacts = Omit<StoredRows['fileFacts'], 'failure'> & { line: unknown; reason: unknown }

function toFileFacts({ line, reason, ...row }: SqlFileFacts): StoredRows['fileFacts'] {
  return { ...row, failure: line === null && reason === null ? null : { line, reason } }
}
