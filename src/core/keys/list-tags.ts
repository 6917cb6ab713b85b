import { byCodePoint } from '../../util/text/code-points.ts'
import { countFitting, jsonLength } from '../fit-json.ts'
import type { KeyReadDeps } from './model.ts'

/**
 * Longer tags are counted but not listed if the answer has a maximum length; `list_memories` shows the keys that have
 * them.
 */
const MAX_TAG = 1000

export interface ListTagsInput {
  /** `next_cursor` of the previous page. */
  cursor?: string
  /** Maximum length of the tags as JSON, in characters. Default: unlimited. */
  maxLength?: number
}

export interface TagList {
  tags: string[]
  count: number
  /** How many tags were left out because they are longer than an answer; only if there are any. */
  too_long?: number
  /** Only if there is more. */
  has_more?: true
  next_cursor?: string
}

/** Tags of keys, in the order of their characters. */
export async function listKeyTags(
  deps: KeyReadDeps,
  { cursor, maxLength = Number.POSITIVE_INFINITY }: ListTagsInput = {},
): Promise<TagList> {
  const counted = await deps.store.read((tx) =>
    tx.totals({ kind: 'key', notExpiredAt: deps.now() }, { by: 'tag' }),
  )
  const all = counted.flatMap(({ value }) => (value === null ? [] : [String(value)])).sort(byCodePoint)
  const following = cursor === undefined ? all : all.filter((tag) => byCodePoint(tag, cursor) > 0)
  const listed =
    maxLength < Number.POSITIVE_INFINITY ? following.filter((tag) => jsonLength(tag) <= MAX_TAG) : following
  const tags = listed.slice(0, countFitting(listed, maxLength))
  const tooLong = following.length - listed.length
  return {
    tags,
    count: tags.length,
    ...(tooLong > 0 && { too_long: tooLong }),
    ...(tags.length < listed.length && { has_more: true, next_cursor: tags.at(-1) as string }),
  }
}
