import type { Attributes } from '../../../core/port/doors.ts'
import type { HeatClock, HeatRecord } from '../../../core/port/heat.ts'

/** Columns of a table by the names of their fields. */
export type Columns = Readonly<Record<string, string>>

/** The only place where SQL's snake_case meets the model's camelCase: `parentKey` is `parent_key`, `textKey=text_id` is `text_id`. */
export function columnsOf(names: string): Columns {
  const pairs = names.split(/\s+/).map((named) => {
    const [name = '', column = snakeCase(name)] = named.split('=')
    return [name, column]
  })
  return Object.fromEntries(pairs)
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A select list: columns of a table or alias, named like the fields of a row. */
export function selected(table: string, columns: Columns): string {
  return Object.entries(columns)
    .map(([name, column]) => `${table}.${column} AS "${name}"`)
    .join(', ')
}

/** The columns of each table, without space and owner. */
export const TABLES = {
  snapshots: columnsOf('id parentId cursorHash author operation message root createdAt'),
  heatClock: columnsOf('clock=heat_clock tickedAt=heat_ticked_at frozen=heat_frozen coldBelow'),
  documents: columnsOf(
    'id kind collection name state textKey=text_id digest revision createdAt updatedAt attributes appended accesses accessedAt userId textBytes',
  ),
  documentVersions: columnsOf('documentId snapshotId state textKey=text_id digest attributes lead trail'),
  moves: columnsOf('documentId snapshotId collection name'),
  checkpoints: columnsOf('name snapshotId author createdAt'),
  nodes: columnsOf(
    'key id documentId parentKey position type format label name tokens textKey=text_id links mark removedIn',
  ),
  versions: columnsOf('nodeKey snapshotId op parentKey position type format label textKey=text_id links'),
  heat: columnsOf('value clock pinned accesses accessedAt told coldness'),
  links: columnsOf(
    'id sourceKey origin place label source wantedId=target_id name file section weight targetKey asleep createdAt',
  ),
  overlays: columnsOf('nodeKey operation parentKey position type format label digest'),
  fileFacts: columnsOf(
    'root path sizeBytes=size modifiedAt changedAt inode scannedAt digest parser line reason',
  ),
  leases: columnsOf('name holder expiresAt detail'),
  audit: columnsOf('number at event userId principalId address subjectKind subject hash'),
  auditHead: columnsOf(
    'number=audit_number hash=audit_hash removedNumber=audit_removed removedHash=audit_removed_hash',
  ),
}

/**
 * A file on disk has its path, a note the name its tool always had, what is behind another door `record:…`, `key:…` or
 * `file:memory/path`, with `@thread` where a thread has its own.
 */
export const SHOWN_NAME = `CASE d.kind WHEN 'source' THEN d.name WHEN 'note' THEN 'mcp:write' WHEN 'file' THEN
  'file:' || (d.collection ->> 0) || CASE d.collection ->> 1 WHEN 'perThread' THEN '@' || (d.collection ->> 2) ELSE '' END || d.name
  ELSE d.kind || ':' || d.name END`

/** The clock of the memory's own space: SQLite reads it once in a statement. */
export const HEAT_CLOCK = '(SELECT heat_clock FROM spaces WHERE id = @space)'

/** Decay is lazy: what a node had, cooled by how far the heat clock went since. Pinned nodes keep theirs. */
export const EFFECTIVE_HEAT = `CASE WHEN h.pinned = 1 THEN h.value ELSE h.value * exp(h.clock - ${HEAT_CLOCK}) END`

/** A path that is `@scope` or below it, as a range of an index: `0` is what comes after `/`. */
export function inScope(path: string): string {
  return `${path} >= @scope AND ${path} < @scope || '0'
    AND (${path} = @scope OR substr(${path}, length(@scope) + 1, 1) = '/')`
}

/** A digest as hex digits; '' where there is none. */
export function hexOf(digest: string): string {
  return `lower(hex(${digest}))`
}

/** The same; null where there is none. */
export function hexOrNull(digest: string): string {
  return `nullif(${hexOf(digest)}, '')`
}

export function digestBlob(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}

/** A node's share of the state digest as it is stored: 8 bytes, big-endian. */
export function markBlob(mark: bigint): Buffer {
  const blob = Buffer.allocUnsafe(8)
  blob.writeBigUInt64BE(mark)
  return blob
}

/** Null where it is missing or not a valid mark. */
export function toMark(stored: unknown): bigint | null {
  return stored instanceof Buffer && stored.length === 8 ? stored.readBigUInt64BE() : null
}

/** SQLite has no booleans: converts these columns of a row, in place. */
export function booleans<R extends object>(...names: (keyof R)[]): (row: R) => R {
  return (row) => {
    for (const name of names) row[name] = (row[name] === (1 as unknown)) as never
    return row
  }
}

export const toClock = booleans<HeatClock>('frozen')
export const toHeat = booleans<HeatRecord>('pinned', 'told')

export function toAttributes(json: string | null): Attributes | null {
  return json === null ? null : JSON.parse(json)
}
