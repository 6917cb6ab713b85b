import type { Row } from './rows.ts'
/** Who does a job that only one of several processes may do, and what it last did. */
export interface LeaseRow extends Row {
  /** Of the job. */
  name: string
  holder: string
  /** As its holder described it, JSON; null when it described nothing yet. */
  detail: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
}
