import { pythonJson, pythonRepr } from '../../util/python-text.ts'
import { MemoryError, needs } from '../errors.ts'
import { DEFAULT_ROOM } from '../find/budget.ts'
import type { DoorDocument } from '../port/doors.ts'
import { utf8Length } from '../tokens.ts'
import { isBinary, keyOf, valueTypeOf, versionOf } from './key-document.ts'
import { type KeyDeps, sizeAttributes, valueTooLarge } from './key-model.ts'
import { type KeyValue, type KeyWrite, type StoredStatus, storeValue } from './store-value.ts'

export interface RememberInput {
  key: string
  value: string
  /** Default: none. */
  tags?: readonly string[]
  /** Default: it stays. 0 or less: it is gone at once. */
  ttlSeconds?: number
}

/**
 * Stores a text under a key, or replaces what is there, tags and time to live included. With `version` only the state that
 * it names is replaced; CONFLICT tells what is there instead.
 */
export async function remember(
  deps: KeyDeps,
  { version, ...input }: RememberInput & { version?: string },
): Promise<KeyWrite<StoredStatus>> {
  const done = await storeValue(deps, input.key, textValue(deps, input), (found) => {
    if (version !== undefined && version !== versionOf(found)) throw conflict(found, version)
    return 'replace'
  })
  return done as KeyWrite<StoredStatus>
}

/** Stores a text under a key that has none. */
export async function rememberIfAbsent(
  deps: KeyDeps,
  input: RememberInput,
): Promise<KeyWrite<'stored' | 'kept'>> {
  const done = await storeValue(deps, input.key, textValue(deps, input), () => 'keep')
  return done as KeyWrite<'stored' | 'kept'>
}

function textValue(deps: KeyDeps, { value, tags = [], ttlSeconds }: RememberInput): KeyValue {
  const given = value.toWellFormed()
  const bytes = utf8Length(given)
  const { maxValueBytes } = deps.limits()
  needs(bytes <= maxValueBytes, valueTooLarge(maxValueBytes, bytes))
  const text = deps.redact(given)
  return {
    text,
    attributes: {
      tags: tags.map((tag) => tag.toWellFormed()),
      ...sizeAttributes(text),
    },
    ttlSeconds,
  }
}

/** A value that is too long for an answer is left out whole: stored back, a part of it would replace all of it. */
function conflict(found: DoorDocument, attempted: string): MemoryError {
  const key = keyOf(found)
  const value = isBinary(valueTypeOf(found)) ? null : found.text
  const facts = { conflict: true, key, attempted_version: attempted, current_version: versionOf(found) }
  const messageWith = (shown: Parameters<typeof pythonJson>[0]): string => {
    const updated = `memory ${pythonRepr(key)} was updated since version ${pythonRepr(attempted)}`
    return `Conflict: ${updated}. ${pythonJson({ ...facts, ...shown })}`
  }
  const message = messageWith({ current_value: value })
  if (message.length <= DEFAULT_ROOM) return new MemoryError('CONFLICT', message)
  const rest = { characters: value?.length ?? 0, more: 'recall with this key and offset=0' }
  return new MemoryError('CONFLICT', messageWith({ current_value: null, ...rest }))
}
