import type { Hash64 } from '../digest.ts'
import type { CheckStatus } from '../port/store.ts'
import type { CheckedRows } from './checked-rows.ts'

export interface Finding {
  status: CheckStatus
  detail: string
}

export const pass = (detail: string): Finding => ({ status: 'pass', detail })
export const fail = (detail: string): Finding => ({ status: 'fail', detail })

/** To a counter anything that is no number is nothing. */
export function amount(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

/** What to do about something that nothing in the memory can repair. */
export const RESTORE = 'restore the newest backup that passes this check'

/** What checks and repairs need beside rows. */
export interface DoctorTools {
  hash: Hash64
  /** Milliseconds since 1970. */
  now: number
}

/** Tables in the order in which they are read: what is referred to comes before what refers to it. */
export const TABLES = [
  'space',
  'snapshots',
  'counters',
  'doorCounts',
  'tagCounts',
  'leases',
  'texts',
  'documents',
  'taggedDocuments',
  'documentVersions',
  'fileFacts',
  'nodes',
  'nodeStates',
  'versions',
  'heat',
  'links',
] as const satisfies readonly (keyof CheckedRows)[]
export type CheckedTable = (typeof TABLES)[number]

/** What a check does with each row of the tables that it looks at. */
export type Seeing = { [T in CheckedTable]?: (row: CheckedRows[T]) => void }

/** Checks that look at the same rows: each row once, in the order of `TABLES`, and then what they found. */
export interface RowChecks {
  see: Seeing
  findings: Record<string, () => Finding>
}
