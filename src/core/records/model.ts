import type { Attributes, DoorDocument } from '../port/doors.ts'

/** What an assistant keeps: a fact, a learning, a task. Clients call each of them a memory. */

export const RECORD_TYPES = ['core', 'learning', 'task'] as const
export type RecordType = (typeof RECORD_TYPES)[number]

export const IMPORTANCES = ['high', 'medium', 'low'] as const
export type Importance = (typeof IMPORTANCES)[number]

export const STATUSES = ['completed', 'in-progress', 'blocked'] as const
export type Status = (typeof STATUSES)[number]

/** Stored beside the content. */
export interface RecordAttributes extends Attributes {
  type: RecordType
  /** Missing: no category. */
  category?: string
  tags: string[]
  importance: Importance
  archived: boolean
  /** Always present for a task. */
  status?: Status
  /** Always present for a completed task: milliseconds since 1970. */
  completed_at?: number
  /** Only for a blocked task. */
  blockers?: string[]
  outcome?: string
}

export interface TaskMetadata {
  status: Status
  completed_at?: string
  blockers?: string[]
  outcome?: string
}

/** The public form: the keys and their order are locked. Times are ISO 8601, in whole seconds, UTC. */
export interface RecordJson {
  id: string
  type: RecordType
  content: string
  /** Missing: no category. */
  category?: string
  created_at: string
  updated_at: string
  /** The time of creation if never accessed. */
  accessed_at: string
  access_count: number
  tags: string[]
  importance: Importance
  archived: boolean
  /** Only for a task. */
  task_metadata?: TaskMetadata
  /** Only for a record that is too long for an answer: what is missing, and the call that shows all of it. */
  left_out?: string
}

/** A record with its content. */
export type RecordDocument = Omit<DoorDocument, 'owner'>

export function attributesOf(document: Pick<DoorDocument, 'attributes'>): RecordAttributes {
  return document.attributes as RecordAttributes
}

export function toRecordJson(document: RecordDocument): RecordJson {
  const { createdAt, updatedAt, accessedAt } = document
  const attributes = attributesOf(document)
  const { type, category, tags, importance, archived } = attributes
  const created = isoTime(createdAt)
  // One literal for each shape: thousands are created at a time.
  const json: RecordJson = {
    id: idOf(document),
    type,
    content: document.text ?? '',
    ...(category === undefined ? undefined : { category }),
    created_at: created,
    updated_at: updatedAt === createdAt ? created : isoTime(updatedAt),
    accessed_at: accessedAt === null ? created : isoTime(accessedAt),
    access_count: document.accesses,
    tags,
    importance,
    archived,
  }
  if (type === 'task') json.task_metadata = taskMetadata(attributes)
  return json
}

export function idOf({ address }: Pick<DoorDocument, 'address'>): string {
  return address.kind === 'record' ? address.id : ''
}

function taskMetadata({ status, completed_at, blockers, outcome }: RecordAttributes): TaskMetadata {
  const metadata: TaskMetadata = { status: status ?? 'in-progress' }
  if (completed_at !== undefined) metadata.completed_at = isoTime(completed_at)
  if (blockers !== undefined) metadata.blockers = blockers
  if (outcome !== undefined) metadata.outcome = outcome
  return metadata
}

/** `2026-01-01T10:00:00Z`. */
export function isoTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
