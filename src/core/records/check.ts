import { countCodePoints } from '../../util/text/code-points.ts'
import { MemoryError, needs, shown } from '../errors.ts'
import type { Redact } from '../redact.ts'
import { MAX_BLOCKER, MAX_BLOCKERS, MAX_CATEGORY, MAX_OUTCOME, MAX_TAG, type RecordLimits } from './limits.ts'
import { IMPORTANCES, type Importance, STATUSES } from './model.ts'
import type { TaskChanges } from './task.ts'

/** What a caller may set on a record, besides its type. Missing fields stay as they are. */
export interface RecordInput {
  content?: string
  /** Empty: none. */
  category?: string
  /** Replaces the existing tags. */
  tags?: readonly string[]
  importance?: Importance
  archived?: boolean
  task_metadata?: TaskChanges
}

/** Like `RecordInput`, checked and without secrets. */
export interface RecordChanges extends Omit<RecordInput, 'tags'> {
  tags?: string[]
}

/** A UUID of version 4. */
export const ID_PATTERN =
  /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/

/** Ids are in lower case; upper case is accepted. */
export function checkId(id: unknown): string {
  const isId = typeof id === 'string' && ID_PATTERN.test(id)
  needs(isId, 'id must be a UUID (version 4), as returned by store_memory and query_memories')
  return id.toLowerCase()
}

/** Check the type first: everything else depends on it. */
export function checkChoice<const W extends string>(name: string, words: readonly W[], value: unknown): W {
  const word = words.find((known) => known === value)
  if (word !== undefined) return word
  throw new MemoryError('INVALID_INPUT', `${name} must be one of ${words.join(', ')}`)
}

export function checkRecord(
  deps: { redact: Redact; limits: () => RecordLimits },
  input: RecordInput,
): RecordChanges {
  const { redact } = deps
  const limits = deps.limits()
  const { content, category, tags, importance, archived, task_metadata: task } = input
  const text = (name: string, value: unknown, bounds: { min?: number; max: number }): string =>
    redact(checkText(name, value, bounds))
  const texts = (name: string, value: unknown, most: number, max: number): string[] => [
    ...new Set(checkList(name, value, most).map((one, at) => text(`${name}[${at}]`, one, { min: 1, max }))),
  ]
  needs(task === undefined || (typeof task === 'object' && task !== null), 'task_metadata must be an object')
  needs(archived === undefined || typeof archived === 'boolean', 'archived must be true or false')
  return {
    ...(content !== undefined && { content: checkContent(content, limits.maxContent) }),
    ...(category !== undefined && { category: text('category', category, { max: MAX_CATEGORY }) }),
    ...(tags !== undefined && { tags: texts('tags', tags, limits.maxTags, MAX_TAG) }),
    ...(importance !== undefined && { importance: checkChoice('importance', IMPORTANCES, importance) }),
    ...(archived !== undefined && { archived }),
    ...(task !== undefined && { task_metadata: checkTask(task) }),
  }

  function checkTask({ status, completed_at, blockers, outcome }: TaskChanges): TaskChanges {
    needs(
      completed_at === undefined || typeof completed_at === 'string',
      'completed_at must be a string such as 2026-01-31T10:00:00Z',
    )
    return {
      ...(status !== undefined && { status: checkChoice('status', STATUSES, status) }),
      ...(completed_at !== undefined && { completed_at }),
      ...(blockers !== undefined && { blockers: texts('blockers', blockers, MAX_BLOCKERS, MAX_BLOCKER) }),
      ...(outcome !== undefined && { outcome: text('outcome', outcome, { max: MAX_OUTCOME }) }),
    }
  }
}

/** Not redacted here: that happens after parsing. */
function checkContent(content: unknown, max: number): string {
  return checkText('content', content, { min: 1, max })
}

/** A lone surrogate cannot be stored or sent: it becomes U+FFFD. */
function checkText(name: string, value: unknown, { min = 0, max }: { min?: number; max: number }): string {
  needs(typeof value === 'string', `${name} must be a string, got ${shown(value)}`)
  needs(value !== '' || min === 0, `${name} must not be empty`)
  needs(!isLonger(value, max), tooLong(name, max))
  return value.toWellFormed()
}

function tooLong(name: string, max: number): string {
  return `${name} must have at most ${max} characters`
}

/** The message for content that is too long. */
export function contentTooLong(max: number): string {
  return tooLong('content', max)
}

function checkList(name: string, value: unknown, most: number): readonly unknown[] {
  needs(Array.isArray(value), `${name} must be a list of strings`)
  needs(value.length <= most, `${name} must be at most ${most}, got ${value.length}`)
  return value
}

/** In code points, as JSON Schema counts. */
export function isLonger(text: string, max: number): boolean {
  return text.length > 2 * max || (text.length > max && countCodePoints(text) > max)
}
