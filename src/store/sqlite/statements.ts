import type { Database, Statement } from 'better-sqlite3'

export type { Sync } from '../tx.ts'

/** Prepares on first use: a command pays only for the statements it runs. */
export function statement<P extends unknown[], R = unknown>(
  db: Database,
  sql: string,
): () => Statement<P, R> {
  let prepared: Statement<P, R> | undefined
  return () => {
    prepared ??= db.prepare<P, R>(sql)
    return prepared
  }
}

/** Prepares each text once: for statements whose shape depends on what is asked. The shapes are few. */
export function statementsByText(db: Database) {
  const known = new Map<string, Statement<[Record<string, unknown>], unknown>>()
  return <R>(sql: string, parameters: Record<string, unknown>): R[] => {
    const prepared = known.get(sql) ?? db.prepare<[Record<string, unknown>], unknown>(sql)
    known.set(sql, prepared)
    return prepared.all(parameters) as R[]
  }
}

/** A bare parameter would have SQLite plan the statement anew for every value, which takes longer than most of these do. */
export function limitOf(parameter = '?'): string {
  return `LIMIT CAST(${parameter} AS INTEGER)`
}
