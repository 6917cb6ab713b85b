import type { Database } from 'better-sqlite3'
import { openHandle } from './driver.ts'
import { migrate, takeSteps } from './migrate.ts'
import { migrations, migrationsUpTo, NEWEST_SCHEMA } from './migrations/index.ts'

export interface SchemaObject {
  type: 'table' | 'index' | 'view' | 'trigger'
  name: string
  /** The table or view that it belongs to; its own name for those. */
  table: string
  /** Null for what SQLite makes by itself. */
  sql: string | null
}

export interface Expected {
  objects: SchemaObject[]
  /** Of the search index, by name; its `version` too. */
  indexSettings: IndexSetting[]
}

export interface IndexSetting {
  name: string
  value: number
}

let expected: Expected | undefined

/** What the migrations create, read once in a process from a new database in memory. */
export function expectedSchema(): Expected {
  if (expected) return expected
  const db = openHandle(':memory:')
  try {
    migrate(db, 0)
    expected = { objects: schemaObjects(db), indexSettings: indexSettings(db) }
    return expected
  } finally {
    db.close()
  }
}

/** What the migrations up to this schema create. */
export function expectedObjects(version: number): SchemaObject[] {
  if (version === NEWEST_SCHEMA) return expectedSchema().objects
  const db = openHandle(':memory:')
  try {
    takeSteps(db, migrations.slice(0, migrationsUpTo(version)))
    return schemaObjects(db)
  } finally {
    db.close()
  }
}

export function indexSettings(db: Database): IndexSetting[] {
  return db.prepare<[], IndexSetting>('SELECT k AS name, v AS value FROM node_index_config ORDER BY k').all()
}

/** What should be there and is not. */
export function missingObjects(db: Database): SchemaObject[] {
  const present = new Set(schemaObjects(db).map(({ type, name }) => `${type} ${name}`))
  return expectedSchema().objects.filter(({ type, name }) => !present.has(`${type} ${name}`))
}

/** The one table with rows of its own that can be made again: it only says that erasures are pending. */
export const SCRUBS = 'scrubs'

/** Tables whose rows nothing else holds. */
export function lostTables(db: Database): string[] {
  return missingObjects(db)
    .filter((object) => object.type === 'table' && !isOfIndex(object) && object.name !== SCRUBS)
    .map(({ name }) => name)
}

/** Nothing is repaired in a database that has lost some: throws. */
export function refuseLostTables(db: Database): void {
  const lost = lostTables(db)
  if (lost.length === 0) return
  throw new Error(
    `not tried: the tables ${lost.join(', ')} are missing; restore the newest backup that has them`,
  )
}

export function isOfIndex({ type, name }: SchemaObject): boolean {
  return type === 'table' && /^node_index(_|$)/.test(name)
}

/** In the order in which they can be made. */
export function schemaObjects(db: Database): SchemaObject[] {
  return db
    .prepare<[], SchemaObject>(
      'SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema ORDER BY rowid',
    )
    .all()
}
