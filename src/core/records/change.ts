import { MemoryError } from '../errors.ts'
import type { RecordChanges } from './check.ts'
import type { RecordAttributes, RecordType } from './model.ts'
import type { Facts } from './task.ts'
import { taskFacts } from './task.ts'

/** The attributes of a record after `changes`; `before` is undefined for a new record. */
export function changedAttributes(
  before: RecordAttributes | undefined,
  { type, ...changes }: Omit<RecordChanges, 'content'> & { type: RecordType },
  now: number,
): RecordAttributes {
  const { category, importance, archived, tags, task_metadata: metadata } = changes
  if (type !== 'task' && metadata !== undefined)
    throw new MemoryError('INVALID_INPUT', `task_metadata is only for tasks; this record has type ${type}`)
  const facts =
    type === 'task'
      ? taskFacts(before ?? {}, { category, metadata }, now)
      : otherFacts(category ?? before?.category)
  return {
    type,
    ...facts,
    tags: tags ?? before?.tags ?? [],
    importance: importance ?? before?.importance ?? 'medium',
    archived: archived ?? before?.archived ?? false,
  }
}

/** The attributes of a record that is not a task; those of a former task are dropped. */
function otherFacts(category: string | undefined): Facts {
  return category === undefined || category === '' ? {} : { category }
}

export const FIELDS = [
  'type',
  'content',
  'category',
  'tags',
  'importance',
  'archived',
  'task_metadata',
] as const
export type Field = (typeof FIELDS)[number]

const PARTS: Record<Exclude<Field, 'content'>, readonly (keyof RecordAttributes)[]> = {
  type: ['type'],
  category: ['category'],
  tags: ['tags'],
  importance: ['importance'],
  archived: ['archived'],
  task_metadata: ['status', 'completed_at', 'blockers', 'outcome'],
}

/** The fields that differ, by their public names. */
export function changedFields(
  before: { content: string | null; attributes: RecordAttributes },
  after: { content: string | null; attributes: RecordAttributes },
): Field[] {
  const isChanged = (field: Field): boolean =>
    field === 'content'
      ? before.content !== after.content
      : PARTS[field].some((name) => !isSame(before.attributes[name], after.attributes[name]))
  return FIELDS.filter(isChanged)
}

/** Strings, numbers, booleans, and lists of strings. */
function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  return a.length === b.length && a.every((one, at) => one === b[at])
}
