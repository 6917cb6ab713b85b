import { MemoryError } from '../errors.ts'
import type { RecordChanges } from './check.ts'
import type { RecordAttributes, RecordType } from './model.ts'
import type { Facts } from './task.ts'
import { taskFacts } from './task.ts'

/** What is so of a record after `changes`; `before` is undefined for a new one. */
export function changedAttributes(
  before: RecordAttributes | undefined,
  { type, ...changes }: Omit<RecordChanges, 'content'> & { type: RecordType },
  now: number,
): RecordAttributes {
  const { category, importance, archived, tags, task_metadata: metadata } = changes
  if (type !== 'task' && metadata !== undefined)
    throw new MemoryError('INVALID_INPUT', `task_metadata is for a task, and this one is of type ${type}`)
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

/** What a record is that is no task: what it was as one is gone. */
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

/** What is really different, by the names that others see. */
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

/** Texts, numbers, truths, and lists of texts. */
function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b
  return a.length === b.length && a.every((one, at) => one === b[at])
}
