import type { Database } from 'better-sqlite3'
import type { CheckStatus } from '../../core/port/store.ts'

export interface Check {
  name: string
  run(): Finding
  /** Only where something can be done about it. */
  heal?(): void
}

export interface Finding {
  status: CheckStatus
  detail: string
}

export const pass = (detail: string): Finding => ({ status: 'pass', detail })
export const warn = (detail: string): Finding => ({ status: 'warn', detail })
export const fail = (detail: string): Finding => ({ status: 'fail', detail })

/** What to do about something that nothing in the file can repair. */
export const RESTORE = 'restore the newest backup that passes this check'

export function countOf(db: Database, sql: string): number {
  return db.prepare<[], { count: number }>(sql).get()?.count ?? 0
}
