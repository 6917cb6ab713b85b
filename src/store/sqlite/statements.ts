import type { Database, Statement } from 'better-sqlite3'

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

/** A bare parameter would have SQLite plan the statement anew for every value, which takes longer than most of these do. */
export function limitOf(parameter = '?'): string {
  return `LIMIT CAST(${parameter} AS INTEGER)`
}

/** What a port method looks like on this side of the promise. */
export type Sync<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never
}
