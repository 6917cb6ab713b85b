import { needs } from '../errors.ts'
import { prepareRedacted } from '../prepare.ts'
import { utf8Length } from '../tokens.ts'
import { type KeyDeps, sizeAttributes, valueTooLarge } from './model.ts'
import { type KeyValue, type StoredStatus, storeValue } from './store.ts'

export interface RememberInput {
  key: string
  value: string
  /** Default: none. */
  tags?: readonly string[]
  /** Default: never expires. 0 or less: expires immediately. */
  ttlSeconds?: number
}

/**
 * Stores a text under a key, or replaces its value, tags and time to live. With `version` only that state is replaced;
 * otherwise CONFLICT reports the current one.
 */
export async function remember(
  deps: KeyDeps,
  { version, ...input }: RememberInput & { version?: string },
): Promise<StoredStatus> {
  const only = version === undefined ? undefined : { version }
  const done = await storeValue(deps, input.key, await textValue(deps, input), only)
  return done as StoredStatus
}

/** Stores a text under a key that has no value. */
export async function rememberIfAbsent(deps: KeyDeps, input: RememberInput): Promise<'stored' | 'kept'> {
  const done = await storeValue(deps, input.key, await textValue(deps, input), 'absent')
  return done as 'stored' | 'kept'
}

async function textValue(deps: KeyDeps, { value, tags = [], ttlSeconds }: RememberInput): Promise<KeyValue> {
  const given = value.toWellFormed()
  const bytes = utf8Length(given)
  const { maxValueBytes } = deps.limits()
  needs(bytes <= maxValueBytes, valueTooLarge(maxValueBytes, bytes))
  const text = await deps.prepare(prepareRedacted, given)
  return {
    text,
    attributes: {
      tags: tags.map((tag) => tag.toWellFormed()),
      ...sizeAttributes(text),
    },
    ttlSeconds,
  }
}
