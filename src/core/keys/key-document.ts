import { countCodePoints } from '../../util/text/code-points.ts'
import { MemoryError, needs } from '../errors.ts'
import type { DoorText } from '../port/doors.ts'
import type { Redact } from '../redact.ts'
import type { KeyAttributes, ValueType } from './key-model.ts'

/** The latest time that a date can be. */
const LAST_TIME = 8.64e15

/** Characters of a key: it stands in headings, URIs and every list. */
const MAX_KEY_LENGTH = 512

export interface KeyAddress {
  kind: 'key'
  key: string
}

/** Longer than any key that was ever stored: a text that got into the wrong place is refused before it is looked at. */
const MAX_LOOKED_UP = 1_048_576

/** What decides about a key, whether its value was read or not. */
type KeyFacts = Omit<DoorText, 'text'>

/** Half a character cannot be stored, nor stand in a URI. Throws INVALID_INPUT for what is far too long for a key. */
export function keyAddress(redact: Redact, key: string): KeyAddress {
  needs(typeof key === 'string', 'give the key as a text')
  needs(key.length <= MAX_LOOKED_UP, keyTooLong(key.length))
  return { kind: 'key', key: redact(key.toWellFormed()) }
}

/** Of a key that is stored for the first time: keys from before the limit stay what they are. Throws INVALID_INPUT. */
export function checkNewKey({ key }: KeyAddress): void {
  needs(key !== '', 'a key has at least one character; give it a name')
  const length = countCodePoints(key)
  needs(length <= MAX_KEY_LENGTH, keyTooLong(length))
}

function keyTooLong(length: number): string {
  return `the key has ${length} characters, and a new key has at most ${MAX_KEY_LENGTH}; choose a shorter one, and keep the rest in the value or in tags`
}

export function keyOf({ address }: KeyFacts): string {
  return (address as KeyAddress).key
}

export function attributesOf({ attributes }: KeyFacts): KeyAttributes {
  return attributes as KeyAttributes
}

/** Whether a client may see it among its own; without one, anybody may. */
export function isOwn(document: KeyFacts, owner: string | undefined): boolean {
  return owner === undefined || attributesOf(document).client === owner
}

export function isExpired({ expires_at }: { expires_at?: number }, now: number): boolean {
  return expires_at !== undefined && now >= expires_at
}

/** It has a value now: it was stored, neither forgotten nor redacted, and its time has not come. */
export function isThere<D extends KeyFacts>(
  document: D | undefined,
  now: number,
): document is D & { state: 'live' } {
  return document?.state === 'live' && !isExpired(document.attributes, now)
}

export function isRedacted<D extends KeyFacts>(document: D | undefined): document is D & { state: 'erased' } {
  return document?.state === 'erased'
}

export function valueTypeOf(document: KeyFacts): ValueType {
  return attributesOf(document).value_type ?? 'text'
}

export function isBinary(type: ValueType): boolean {
  return type === 'image' || type === 'blob'
}

/**
 * When a value that is stored now ends; undefined: never. What ends at once or in the past is never seen. Its time begins no earlier than that of
 * what was there before: a clock that was set back meanwhile does not shorten it.
 */
export function expiryOf(
  now: number,
  ttlSeconds: number | undefined,
  before: Pick<KeyFacts, 'updatedAt'> | undefined,
): { expires_at?: number } {
  if (ttlSeconds === undefined) return {}
  const start = ttlSeconds > 0 && before ? Math.max(now, before.updatedAt) : now
  return { expires_at: Math.max(-LAST_TIME, Math.min(LAST_TIME, start + ttlSeconds * 1000)) }
}

/** A time as the tools of this door show it. */
export function isoTime(ms: number, micros = 0): string {
  return `${new Date(ms).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}+00:00`
}

/**
 * What a writer shows to say which state it read. A time, for those who want to know how old it is; its last three digits
 * tell writes within a millisecond apart.
 */
export function versionOf({ updatedAt, revision }: KeyFacts): string {
  return isoTime(updatedAt, revision % 1000)
}

export function noMemory(key: string): MemoryError {
  return new MemoryError('NOT_FOUND', `No memory found for key '${key}'.`)
}

/** The key is a tombstone, and stays one until somebody forgets it. */
export function redactedKey(key: string): MemoryError {
  return new MemoryError(
    'REDACTED',
    `Memory '${key}' is redacted and keeps no value. Forget it first, then store it again.`,
  )
}
