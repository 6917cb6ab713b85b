import type { RecordType } from './model.ts'

/** What nobody has asked to be other than it is. In characters, or as many. */
export const MAX_CATEGORY = 50
export const MAX_TAG = 30
export const MAX_SEARCH = 200
export const MAX_PAGE = 100
export const USUAL_PAGE = 10
export const MAX_BLOCKERS = 20
export const MAX_BLOCKER = 500
export const MAX_OUTCOME = 1000
/** Records in one resource. */
export const MAX_VIEW = 1000

export interface RecordLimits {
  /** Characters of a content. */
  maxContent: number
  maxTags: number
  /** Of those that are not archived. What is over a soft limit is archived; core has hard ones. */
  room: Record<RecordType, Room>
}

/** Null: as many as there are. */
export interface Room {
  count: number | null
  bytes: number | null
}

/** How each type is called where its limits are told. */
export const ROOM_SETTINGS: Record<RecordType, { count: string; bytes: string }> = {
  core: { count: 'records.max_core', bytes: 'records.max_core_size' },
  learning: { count: 'records.max_learnings', bytes: 'records.max_learnings_size' },
  task: { count: 'records.max_tasks', bytes: 'records.max_tasks_size' },
}
