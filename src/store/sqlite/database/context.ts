import type { Database } from 'better-sqlite3'
import type { Hash64 } from '../../../core/digest.ts'

/** What all queries share: the handle, and the space and owner of the memory. */
export interface Context {
  db: Database
  spaceId: number
  ownerId: number
  /** The name of that owner. */
  owner: string
  now: () => number
  hash: Hash64
  /** A number that changes with the set of expired keys that reads leave out. Missing: none are left out. */
  hidden?: () => number
}

/** Lists are bound as one JSON parameter: any length, one prepared statement. */
export function listParameter(values: readonly (number | string)[]): string {
  return JSON.stringify(values)
}
