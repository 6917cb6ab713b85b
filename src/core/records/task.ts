import { MemoryError } from '../errors.ts'
import { type RecordAttributes, STATUSES, type Status } from './model.ts'
import { parseTime } from './times.ts'

/** Changes to a task; missing fields stay as they are. An empty string or list removes the field. */
export interface TaskChanges {
  status?: Status
  /** ISO 8601. */
  completed_at?: string
  blockers?: string[]
  outcome?: string
}

export type Facts = Pick<RecordAttributes, 'category' | 'status' | 'completed_at' | 'blockers' | 'outcome'>

/**
 * The attributes of a task after `changes`, with regard to a new category. A category that is the name of a status
 * means that status: setting one sets the other.
 */
export function taskFacts(
  before: Facts,
  { category, metadata = {} }: { category: string | undefined; metadata?: TaskChanges | undefined },
  now: number,
): Facts {
  const said = statusOf(category)
  const { status: given } = metadata
  if (said !== undefined && given !== undefined && said !== given)
    throw wrong(
      `the category "${said}" and the status "${given}" disagree; give only one of them, or the same value for both`,
    )
  const status = given ?? said ?? before.status ?? statusOf(before.category) ?? 'in-progress'
  const outcome = metadata.outcome ?? before.outcome
  return {
    ...put('category', category ?? categoryBeside(before.category, given)),
    status,
    ...put('completed_at', completion(before, metadata, status, now)),
    ...put('blockers', blockers(before, metadata, status)),
    ...put('outcome', outcome),
  }
}

/** The category of a task whose status was set; a category that is not a status stays. */
function categoryBeside(category: string | undefined, status: Status | undefined): string | undefined {
  if (status === undefined) return category
  return category === undefined || statusOf(category) !== undefined ? status : category
}

function statusOf(category: string | undefined): Status | undefined {
  return STATUSES.find((status) => status === category)
}

function completion(
  before: Facts,
  { completed_at: given }: TaskChanges,
  status: Status,
  now: number,
): number | undefined {
  if (status !== 'completed') {
    if (given) throw wrong(`completed_at is only for completed tasks; this task is ${status}`)
    return undefined
  }
  if (given) return timeOf(given)
  return before.status === 'completed' ? (before.completed_at ?? now) : now
}

function timeOf(text: string): number {
  const at = parseTime(text)
  if (at !== undefined) return at
  throw wrong('completed_at must be a date such as 2026-01-31, or a time such as 2026-01-31T10:00:00Z')
}

function blockers(before: Facts, { blockers: given }: TaskChanges, status: Status): string[] | undefined {
  if (status === 'blocked') return given ?? before.blockers
  if (given && given.length > 0)
    throw wrong(
      `blockers are only for blocked tasks; this task is ${status}: set the status to "blocked" too`,
    )
  return undefined
}

/** An empty value removes the field. */
function put<K extends keyof Facts>(name: K, value: Facts[K] | undefined): Facts {
  const isNone = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return isNone ? {} : { [name]: value }
}

function wrong(message: string): MemoryError {
  return new MemoryError('INVALID_INPUT', message)
}
