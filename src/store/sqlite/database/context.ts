import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../../core/digest.ts'

/** What every group of queries needs: the handle, and whose memory it is. */
export interface Context {
  db: Database
  spaceId: number
  ownerId: number
  /** The name of that owner. */
  owner: string
  now: () => number
  hash: Hash64
  /** Another number whenever other expired keys are left out of what is read. Missing: none ever are. */
  hidden?: () => number
}

/** Lists travel as one JSON parameter: no limit on their length, one prepared statement for all. */
export function listParameter(values: readonly (number | string)[]): string {
  return JSON.stringify(values)
}
