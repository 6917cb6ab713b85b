import { MemoryError } from '../errors.ts'
import { type RecordAttributes, STATUSES, type Status } from './model.ts'
import { parseTime } from './times.ts'

/** What a caller says of a task; what is missing stays as it is. Nothing in it (an empty text or list) takes it away. */
export interface TaskChanges {
  status?: Status
  /** ISO 8601. */
  completed_at?: string
  blockers?: string[]
  outcome?: string
}

export type Facts = Pick<RecordAttributes, 'category' | 'status' | 'completed_at' | 'blockers' | 'outcome'>

/**
 * What is so of a task after `changes`, in the light of a new category. Its status and a category that is a status are one
 * thing said twice: whoever says one of them says the other.
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
      `the category "${said}" and the status "${given}" disagree; give one of them, or the same twice`,
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

/** The category of a task whose status was set: its own word stays. */
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
    if (given) throw wrong(`completed_at is for a completed task, and this one is ${status}`)
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
    throw wrong(`blockers are for a blocked task, and this one is ${status}; give the status "blocked" too`)
  return undefined
}

/** Nothing is the same as none. */
function put<K extends keyof Facts>(name: K, value: Facts[K] | undefined): Facts {
  const isNone = value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return isNone ? {} : { [name]: value }
}

function wrong(message: string): MemoryError {
  return new MemoryError('INVALID_INPUT', message)
}
