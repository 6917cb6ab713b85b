import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../core/errors.ts'
import { quoted } from '../../util/quoted.ts'
import { expectedObjects, isOfIndex, type SchemaObject, schemaObjects } from './health-expected.ts'
import { migrations } from './migrations/index.ts'
import { SCHEMA_DIGEST } from './schema-digest.ts'

export interface ForeignObject extends SchemaObject {
  /** One of ours by its name, and not by what it says. */
  isChanged: boolean
}

/** SQLite's own tables, as it makes them by itself: they do nothing. */
const INERT = new Set([
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
])
const MAX_NAMED = 5

/** A file may bring triggers and views that change what we store and read. Throws when there is anything but our own. */
export function refuseForeign(db: Database, version: number): void {
  const found = findForeign(db, version)
  if (found.length === 0) return
  throw new MemoryError(
    'CORRUPTED_DATA',
    `the database has parts that remindb did not make, and they may change what it stores and shows (${describeForeign(found)}); it was not changed. Remove them with \`remindb doctor --fix\`, which makes a backup first, or do not use this file`,
  )
}

/** What the migrations did not make, or not like this. Only the schema is read. */
export function findForeign(db: Database, version: number = migrations.length): ForeignObject[] {
  const present = schemaObjects(db)
  // Making what is expected takes as long as everything else that opens a memory.
  if (version === migrations.length && digestOf(present) === SCHEMA_DIGEST) return []
  const expected = new Map(expectedObjects(version).map((object) => [keyOf(object), object]))
  return present.flatMap((object) => {
    const own = expected.get(keyOf(object))
    if (own ? isSame(own, object) : INERT.has(object.sql ?? '')) return []
    return [{ ...object, isChanged: own !== undefined }]
  })
}

/** Whoever makes the file may choose what is digested: a digest that resists that. */
export function digestOf(objects: readonly SchemaObject[]): string {
  const lines = objects.map(({ type, name, table, sql }) => JSON.stringify([type, name, table, sql])).sort()
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

/** Their names are somebody else's text. */
export function describeForeign(objects: readonly ForeignObject[]): string {
  const named = objects
    .slice(0, MAX_NAMED)
    .map(({ type, name, isChanged }) => `${isChanged ? 'changed ' : ''}${type} ${quoted(name)}`)
  const more = objects.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/**
 * Removes them, and makes again what is ours and can be made from its own words. Throws, with nothing changed that a
 * transaction does not take back, when a table of ours was changed: its rows are nowhere else.
 */
export function dropForeign(db: Database, version: number = migrations.length): void {
  const found = findForeign(db, version)
  const changed = found.filter((object) => object.isChanged && object.type === 'table')
  const beyond = changed.filter((object) => !isOfIndex(object) || version < migrations.length)
  if (beyond.length > 0)
    throw new Error(
      `not tried: ${describeForeign(beyond)}; do not use this file: restore a backup, or remove it and compile again`,
    )
  withoutDefence(db, () => {
    for (const object of found) if (isVirtual(object) && !object.isChanged) forgetVirtual(db, object)
    // Triggers first: nothing of theirs is to happen meanwhile.
    for (const type of ['trigger', 'view', 'index', 'table'])
      for (const object of found) if (object.type === type && isDroppable(object)) drop(db, object)
  })
  makeMissing(db, version)
}

function isDroppable(object: ForeignObject): boolean {
  // What SQLite makes by itself goes with its table; the search index is made anew as a whole.
  return object.sql !== null && !isVirtual(object) && !(object.isChanged && isOfIndex(object))
}

function isVirtual({ type, sql }: SchemaObject): boolean {
  return type === 'table' && /^\s*create\s+virtual\b/i.test(sql ?? '')
}

function drop(db: Database, { type, name }: ForeignObject): void {
  db.exec(`DROP ${type} IF EXISTS "${name.replaceAll('"', '""')}"`)
}

/** Dropping it would run its module, or fail where we do not have that. Its tables are listed, and dropped, like others. */
function forgetVirtual(db: Database, { name }: ForeignObject): void {
  db.pragma('writable_schema = ON')
  db.prepare(`DELETE FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage = 0`).run(name)
  db.pragma('writable_schema = RESET')
}

function withoutDefence(db: Database, work: () => void): void {
  db.unsafeMode(true)
  try {
    work()
  } finally {
    db.unsafeMode(false)
  }
}

function makeMissing(db: Database, version: number): void {
  const present = new Set(schemaObjects(db).map(keyOf))
  for (const object of expectedObjects(version))
    if (object.type !== 'table' && object.sql !== null && !present.has(keyOf(object))) db.exec(object.sql)
}

function isSame(own: SchemaObject, object: SchemaObject): boolean {
  return own.sql === object.sql && own.table === object.table
}

function keyOf({ type, name }: SchemaObject): string {
  return `${type} ${name}`
}
