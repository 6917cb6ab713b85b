import type { Database } from 'better-sqlite3'
import type { Finding } from '../../core/doctor/check.ts'

export interface Check {
  name: string
  run(): Finding
  /** Only where something can be done about it. */
  heal?(): void
}

export function countOf(db: Database, sql: string): number {
  return db.prepare<[], { count: number }>(sql).get()?.count ?? 0
}
