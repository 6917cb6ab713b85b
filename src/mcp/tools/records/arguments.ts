import { ID_PATTERN } from '../../../core/records/check.ts'
import {
  MAX_BLOCKER,
  MAX_BLOCKERS,
  MAX_CATEGORY,
  MAX_OUTCOME,
  MAX_TAG,
  type RecordLimits,
} from '../../../core/records/limits.ts'
import { IMPORTANCES, RECORD_TYPES, STATUSES } from '../../../core/records/model.ts'
import { utf8Length } from '../../../core/tokens.ts'
import type { LogFields } from '../../../util/log.ts'
import { choice, formed, group, list, optional, text, type Value } from '../../model/schema.ts'
import { members } from '../output.ts'

/** Arguments that several tools of records share, and parts of their answers. */

export type ArgumentLimits = Pick<RecordLimits, 'maxContent' | 'maxTags'>

export function idArgument(description = 'Id of a memory'): Value<string> {
  return formed(description, { pattern: ID_PATTERN, must: 'must be a UUID, as query_memories gives it' })
}
export const TYPE = choice(
  RECORD_TYPES,
  'core: lasting facts and preferences; learning: insights; task: work',
)
export const IMPORTANCE = choice(IMPORTANCES, 'Default for a new memory: medium')
export const CATEGORY = text(
  `Any word, such as preference, insight, in-progress; at most ${MAX_CATEGORY} characters. Empty: none`,
  { mayBeEmpty: true, max: MAX_CATEGORY },
)
export const TASK_METADATA = group(
  {
    status: optional(choice(STATUSES, 'Default for a new task: in-progress')),
    completed_at: optional(text('ISO 8601; default: now', { max: 40 })),
    blockers: optional(
      list(text('Reason', { max: MAX_BLOCKER }), {
        max: MAX_BLOCKERS,
        mayBeEmpty: true,
        description: 'Why it is blocked',
        advice: 'give fewer',
      }),
    ),
    outcome: optional(text('How it ended', { mayBeEmpty: true, max: MAX_OUTCOME })),
  },
  'Of a task',
)

export function contentArgument({ maxContent }: ArgumentLimits): Value<string> {
  return text(`What to remember, as Markdown or plain text, at most ${maxContent} characters`, {
    max: maxContent,
  })
}

export function tagsArgument(max: number, description: string): Value<string[]> {
  const limits = `at most ${max}, each of ${MAX_TAG} characters`
  return list(text('Tag', { max: MAX_TAG }), {
    max,
    description: `${description}; ${limits}`,
    mayBeEmpty: true,
    advice: 'give fewer',
  })
}

export const MEMORY = members(
  'id',
  'type',
  'content',
  'created_at',
  'updated_at',
  'accessed_at',
  'access_count',
  'tags',
  'importance',
  'archived',
)
export const MEMORIES = { type: 'array', items: MEMORY }

/** The loggable part of a call: no content. */
export function loggedRecord(args: {
  id?: string
  type?: string
  content?: string
  tags?: readonly string[]
  importance?: string
  archived?: boolean
}): LogFields {
  const { id, type, content, tags, importance, archived } = args
  return {
    ...{ id, type, importance, archived },
    content_bytes: content === undefined ? undefined : utf8Length(content),
    tags: tags?.length,
  }
}
