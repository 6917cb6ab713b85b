import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../core/errors.ts'
import { quoted } from '../../util/quoted.ts'
import { expectedObjects, isOfIndex, SCRUBS, type SchemaObject, schemaObjects } from './health-expected.ts'
import { NEWEST_SCHEMA } from './migrations/index.ts'
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
export function refuseForeign(db: Database, version: number = NEWEST_SCHEMA): void {
  const found = findForeign(db, version)
  if (found.length === 0) return
  const beyond = beyondRepair(db, found, version)
  const advice = beyond
    ? `They cannot be removed: ${beyond}`
    : 'Remove them with `remindb doctor --fix`, which makes a backup first, or do not use this file'
  throw new MemoryError(
    'CORRUPTED_DATA',
    `the database has parts that remindb did not make, and they may change what it stores and shows (${describeForeign(found)}); it was not changed. ${advice}`,
  )
}

/** What the migrations did not make, or not like this. Only the schema is read. */
export function findForeign(db: Database, version: number = NEWEST_SCHEMA): ForeignObject[] {
  const present = schemaObjects(db)
  // Making what is expected takes as long as everything else that opens a memory.
  if (version === NEWEST_SCHEMA && digestOf(present) === SCHEMA_DIGEST) return []
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
 * Why they cannot be removed, as far as the schema tells; undefined when they can. Only the schema is read. A table of ours
 * that was changed, or that something else replaced, is not made again: its rows are nowhere else.
 */
export function beyondRepair(
  db: Database,
  found: readonly ForeignObject[],
  version: number = NEWEST_SCHEMA,
): string | undefined {
  const isNewest = version === NEWEST_SCHEMA
  const changed = found.filter(
    (object) => object.isChanged && object.type === 'table' && !(isOfIndex(object) && isNewest),
  )
  const lost = missingTables(db, version).filter(({ name }) => name !== SCRUBS)
  const reasons = [
    ...(changed.length > 0 ? [describeForeign(changed)] : []),
    ...lost.map(({ name }) => `missing table ${quoted(name)}`),
  ]
  if (reasons.length === 0) return undefined
  return `${reasons.join(', ')}; do not use this file: restore a backup, or remove it and compile again`
}

/**
 * Removes them, and makes again what is ours and can be made from its own words. Throws, with nothing changed that a
 * transaction does not take back, when that cannot be done: see `beyondRepair`.
 */
export function dropForeign(db: Database, version: number = NEWEST_SCHEMA): void {
  const found = findForeign(db, version)
  const beyond = found.length === 0 ? undefined : beyondRepair(db, found, version)
  if (beyond !== undefined) throw new Error(`not tried: ${beyond}`)
  withoutDefence(db, () => {
    for (const object of found) if (isVirtual(object) && !object.isChanged) forgetVirtual(db, object)
    // Triggers first: nothing of theirs is to happen meanwhile.
    for (const type of ['trigger', 'view', 'index', 'table'])
      for (const object of found) if (object.type === type && isDroppable(object)) drop(db, object)
  })
  makeMissing(db, version)
  makeScrubs(db, version)
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

/** Which erasures were pending is not known any more: one is, to be safe. */
function makeScrubs(db: Database, version: number): void {
  const scrubs = missingTables(db, version).find(({ name }) => name === SCRUBS)
  if (!scrubs?.sql) return
  db.exec(scrubs.sql)
  db.prepare('INSERT INTO scrubs (requested_at) VALUES (?)').run(Date.now())
}

/** Without those of the search index, which are made from the nodes. */
function missingTables(db: Database, version: number): SchemaObject[] {
  const present = new Set(schemaObjects(db).map(keyOf))
  return expectedObjects(version).filter(
    (object) => object.type === 'table' && !isOfIndex(object) && !present.has(keyOf(object)),
  )
}

function isSame(own: SchemaObject, object: SchemaObject): boolean {
  return own.sql === object.sql && own.table === object.table
}

function keyOf({ type, name }: SchemaObject): string {
  return `${type} ${name}`
}
