import type { Database, Statement } from 'better-sqlite3'
import type { Columns } from './rows.ts'

export type { Sync } from '../../tx.ts'

/** Prepares on first use: a command pays only for the statements it runs. */
export function statement<P extends unknown[] = unknown[], R = unknown>(
  db: Database,
  sql: string,
): () => Statement<P, R> {
  let prepared: Statement<P, R> | undefined
  return () => {
    prepared ??= db.prepare<P, R>(sql)
    return prepared
  }
}

export type Parameters = Record<string, unknown>

/** Limit of cached statements: with up to 32 tags in a search there are thousands of variants. */
const MAX_KEPT = 256

/**
 * Prepares each statement once, by a unique name; without `sqlOf` the name is the SQL itself. `as`: the form of a
 * row, if not an object.
 */
export function statements(db: Database, as?: 'raw' | 'pluck') {
  const known = new Map<string, Statement<[Parameters], unknown>>()
  function prepare(name: string, sql: string): Statement<[Parameters], unknown> {
    if (known.size >= MAX_KEPT) known.clear()
    const prepared = db.prepare<[Parameters], unknown>(sql)
    if (as) prepared[as]()
    known.set(name, prepared)
    return prepared
  }
  return <R>(name: string, parameters: Parameters, sqlOf = (): string => name): R[] =>
    (known.get(name) ?? prepare(name, sqlOf())).all(parameters) as R[]
}

/** Inserts the fields of a row that are columns. `into`: `INSERT INTO` a table. */
export function insertion(db: Database, into: string, columns: Columns, onConflict = '') {
  const names = Object.keys(columns)
  const insert = statement(
    db,
    `${into} (${Object.values(columns)}) VALUES (${names.map(() => '?')}) ${onConflict}`,
  )
  return (row: object): void => void insert().run(valuesOf(row, names))
}

/** Changes columns of the row that `key` names. */
export function update(db: Database, table: string, columns: Columns, key: Columns) {
  const names = [...Object.keys(columns), ...Object.keys(key)]
  const change = statement(db, `UPDATE ${table} SET ${equal(columns)} WHERE ${equal(key).join(' AND ')}`)
  return (row: object): void => void change().run(valuesOf(row, names))
}

/** Removes the rows that `key` names. */
export function removal(db: Database, table: string, key: Columns) {
  const remove = statement(db, `DELETE FROM ${table} WHERE ${equal(key).join(' AND ')}`)
  return (row: object): void => void remove().run(valuesOf(row, Object.keys(key)))
}

function equal(columns: Columns): string[] {
  return Object.values(columns).map((column) => `${column} = ?`)
}

/** As an array: binding by name is slower. The driver does not accept booleans. */
function valuesOf(row: object, names: readonly string[]): unknown[] {
  return names.map((name) => {
    const value = (row as Record<string, unknown>)[name]
    return typeof value === 'boolean' ? Number(value) : value
  })
}

/** With a bare parameter SQLite would plan the statement again for every value, which costs more than running it. */
export function limitOf(parameter = '?'): string {
  return `LIMIT CAST(${parameter} AS INTEGER)`
}
