import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { MemoryError } from '../../../core/errors.ts'
import { quoted } from '../../../util/text/quoted.ts'
import { migrations, migrationsUpTo, NEWEST_SCHEMA } from '../migrations/index.ts'
import { closing, openHandle, schemaOf } from './driver.ts'
import { takeSteps } from './migrate.ts'

/** What `digestOf` gives for the newest schema: test/store/schema.test.ts computes it. */
export const SCHEMA_DIGEST = 'd64cc8871409f44f3375920c6d443ebba2fa2c2265c7da562b930df90a98768f'

export interface SchemaObject {
  type: 'table' | 'index' | 'view' | 'trigger'
  name: string
  /** The table or view that it belongs to; its own name for those. */
  table: string
  /** Null for what SQLite makes by itself. */
  sql: string | null
}

export interface ForeignObject extends SchemaObject {
  /** Has the name of one of ours, but other SQL. */
  isChanged: boolean
}

export interface SchemaDifference {
  /** Not made by the migrations, or changed since. */
  foreign: ForeignObject[]
  /** Made by the migrations, but absent. */
  missing: SchemaObject[]
}

interface Expected {
  objects: SchemaObject[]
  /** Of the search index, by name; its `version` too. */
  indexSettings: { name: string; value: number }[]
}

const expected = new Map<number, Expected>()

/** What the migrations up to this schema create, read once in a process from a new database in memory. */
export function expectedSchema(version: number = NEWEST_SCHEMA): Expected {
  const known = expected.get(version)
  if (known) return known
  const made = closing(openHandle(':memory:'), (db) => {
    takeSteps(db, migrations.slice(0, migrationsUpTo(version)))
    return { objects: schemaObjects(db), indexSettings: version === 0 ? [] : indexSettings(db) }
  })
  expected.set(version, made)
  return made
}

export function indexSettings(db: Database): Expected['indexSettings'] {
  return db
    .prepare<[], { name: string; value: number }>(
      'SELECT k AS name, v AS value FROM node_index_config ORDER BY k',
    )
    .all()
}

/** In the order in which they can be made. */
export function schemaObjects(db: Database): SchemaObject[] {
  return db
    .prepare<[], SchemaObject>(
      'SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema ORDER BY rowid',
    )
    .all()
}

/** Tables that SQLite creates by itself; harmless. */
const INERT = new Set([
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
])

/** How a database differs from what the migrations up to its own schema make. Only the schema is read. */
export function compareSchema(db: Database): SchemaDifference {
  const present = schemaObjects(db)
  // Building the expected schema takes as long as the rest of opening a memory.
  if (hasNewestSchema(db) && digestOf(present) === SCHEMA_DIGEST) return { foreign: [], missing: [] }
  const objects = new Map(expectedSchema(schemaOf(db)).objects.map((object) => [keyOf(object), object]))
  const foreign = present.flatMap((object) => {
    const own = objects.get(keyOf(object))
    objects.delete(keyOf(object))
    const isOurs = own ? own.sql === object.sql && own.table === object.table : INERT.has(object.sql ?? '')
    return isOurs ? [] : [{ ...object, isChanged: own !== undefined }]
  })
  return { foreign, missing: [...objects.values()] }
}

/** The author of a file controls what is digested, so the hash must resist collisions. */
export function digestOf(objects: readonly SchemaObject[]): string {
  const lines = objects.map(({ type, name, table, sql }) => JSON.stringify([type, name, table, sql])).sort()
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

export function hasNewestSchema(db: Database): boolean {
  return schemaOf(db) === NEWEST_SCHEMA
}

/** A file may bring triggers and views that change what we store and read. Throws if there is anything that is not ours. */
export function refuseForeign(db: Database): void {
  const { foreign } = compareSchema(db)
  if (foreign.length === 0) return
  const beyond = beyondRepair(db)
  const advice = beyond
    ? `They cannot be removed: ${beyond}`
    : 'Remove them with `remindb doctor --fix`, which makes a backup first, or do not use this file'
  throw new MemoryError(
    'CORRUPTED_DATA',
    `the database has parts that remindb did not make, and they may change what it stores and shows (${describeForeign(foreign)}); it was not changed. ${advice}`,
  )
}

const MAX_NAMED = 5

/** Their names are untrusted text. */
export function describeForeign(objects: readonly ForeignObject[]): string {
  const named = objects
    .slice(0, MAX_NAMED)
    .map(({ type, name, isChanged }) => `${isChanged ? 'changed ' : ''}${type} ${quoted(name)}`)
  const more = objects.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/**
 * Why foreign parts cannot be removed, as far as the schema shows; undefined when they can. A table of ours that was changed, or
 * that something else replaced, is not made again: its rows are nowhere else.
 */
export function beyondRepair(db: Database): string | undefined {
  const { foreign, missing } = compareSchema(db)
  if (foreign.length === 0) return undefined
  const changed = foreign.filter(
    (object) => object.isChanged && object.type === 'table' && !(isOfIndex(object) && hasNewestSchema(db)),
  )
  const reasons = [
    ...(changed.length > 0 ? [describeForeign(changed)] : []),
    ...lostTables(missing).map((name) => `missing table ${quoted(name)}`),
  ]
  if (reasons.length === 0) return undefined
  return `${reasons.join(', ')}; do not use this file: restore a backup, or remove it and compile again`
}

/** The one table that can be recreated: it only records that erasures are pending. */
export const SCRUBS = 'scrubs'

/** Tables whose rows nothing else holds. */
export function lostTables(missing: readonly SchemaObject[]): string[] {
  return missing
    .filter((object) => object.type === 'table' && !isOfIndex(object) && object.name !== SCRUBS)
    .map(({ name }) => name)
}

/** Throws if any are lost: such a database is not repaired. */
export function refuseLostTables(db: Database): void {
  const lost = lostTables(compareSchema(db).missing)
  if (lost.length === 0) return
  throw new Error(
    `not tried: the tables ${lost.join(', ')} are missing; restore the newest backup that has them`,
  )
}

export function isOfIndex({ type, name }: SchemaObject): boolean {
  return type === 'table' && /^node_index(_|$)/.test(name)
}

export function keyOf({ type, name }: Pick<SchemaObject, 'type' | 'name'>): string {
  return `${type} ${name}`
}
