import type { Hash64 } from '../digest.ts'
import type { CheckStatus } from '../port/store.ts'
import type { CheckedRows } from './checked-rows.ts'

export interface Finding {
  status: CheckStatus
  detail: string
}

export const pass = (detail: string): Finding => ({ status: 'pass', detail })
export const fail = (detail: string): Finding => ({ status: 'fail', detail })

/** Anything that is not a number counts as 0. */
export function amount(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

/** What to do about damage that cannot be repaired from the memory. */
export const RESTORE = 'restore the newest backup that passes this check'

/** Dependencies of checks and repairs besides rows. */
export interface DoctorTools {
  hash: Hash64
  /** Milliseconds since 1970. */
  now: number
}

/** Tables in the order in which they are read: referenced rows come before referring ones. */
export const TABLES = [
  'space',
  'snapshots',
  'counters',
  'doorCounts',
  'tagCounts',
  'userCounts',
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

/** What a check does with each row of the tables that it reads. */
export type Seeing = { [T in CheckedTable]?: (row: CheckedRows[T]) => void }

/** Checks of the same rows: they see each row once, in the order of `TABLES`, and then report findings. */
export interface RowChecks {
  see: Seeing
  findings: Record<string, () => Finding>
}
