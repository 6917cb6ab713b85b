import { utf8Length } from '../../../core/tokens.ts'
import type { LogFields } from '../../../util/log.ts'
import { integer, list, optional, text } from '../../model/schema.ts'

/** Arguments that tools of this door share. Keys and tags are content: logs have their sizes. */

const MAX_TAGS = 1000

export const KEY = text('Key of the memory, such as project:service/api:owner')
export const VALUE = text('What to remember', { mayBeEmpty: true })
export const TAGS = optional(
  list(text('Tag'), { max: MAX_TAGS, mayBeEmpty: true, description: 'Tags to find it by. Default: none' }),
)
export const TTL = optional(integer('Seconds until it expires. Default: never'))

export const OFFSET = optional(integer('Go on: next_offset of the last answer', { min: 0 }))
export const CURSOR = optional(text('Go on: next_cursor of the last answer'))

export function keySize(key: string): LogFields {
  return { key_bytes: utf8Length(key) }
}
