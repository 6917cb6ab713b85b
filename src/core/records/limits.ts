import type { RecordType } from './model.ts'

/** Fixed limits, in characters or in items. */
export const MAX_CATEGORY = 50
export const MAX_TAG = 30
export const MAX_SEARCH = 200
export const MAX_PAGE = 100
export const USUAL_PAGE = 10
export const MAX_BLOCKERS = 20
export const MAX_BLOCKER = 500
export const MAX_OUTCOME = 1000
/** The maximum number of records in one resource. */
export const MAX_VIEW = 1000

export interface RecordLimits {
  /** In characters. */
  maxContent: number
  maxTags: number
  /** Of records that are not archived. Records over a soft limit are archived; core has hard limits. */
  room: Record<RecordType, Room>
}

/** Null: unlimited. */
export interface Room {
  count: number | null
  bytes: number | null
}

/** The settings to name in messages about limits. */
export const ROOM_SETTINGS: Record<RecordType, { count: string; bytes: string }> = {
  core: { count: 'records.max_core', bytes: 'records.max_core_size' },
  learning: { count: 'records.max_learnings', bytes: 'records.max_learnings_size' },
  task: { count: 'records.max_tasks', bytes: 'records.max_tasks_size' },
}
