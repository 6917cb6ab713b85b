import type { Row } from './rows.ts'
/** Which process does a job that only one may do, and what it last did. */
export interface LeaseRow extends Row {
  /** The name of the job. */
  name: string
  holder: string
  /** JSON, written by the holder; null if it has written nothing yet. */
  detail: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
}
