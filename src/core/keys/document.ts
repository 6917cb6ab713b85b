import { countCodePoints } from '../../util/text/code-points.ts'
import { MemoryError, needs } from '../errors.ts'
import type { DoorText } from '../port/doors.ts'
import type { Redact } from '../redact.ts'
import type { KeyAttributes, ValueType } from './model.ts'

/** The latest time that a date can represent. */
const LAST_TIME = 8.64e15

/** Maximum length of a key: it appears in headings, URIs and every list. */
const MAX_KEY_LENGTH = 512

export interface KeyAddress {
  kind: 'key'
  key: string
}

/** Longer than any stored key: a text in the wrong place is rejected before it is processed. */
const MAX_LOOKED_UP = 1_048_576

/** The fields that decide the state of a key, without its value. */
type KeyFacts = Omit<DoorText, 'text'>

/** A lone surrogate cannot be stored, nor appear in a URI. Throws INVALID_INPUT for a key that is far too long. */
export function keyAddress(redact: Redact, key: string): KeyAddress {
  needs(typeof key === 'string', 'key must be a string')
  needs(key.length <= MAX_LOOKED_UP, keyTooLong(key.length))
  return { kind: 'key', key: redact(key.toWellFormed()) }
}

/** For a key that is stored for the first time: keys from before the limit stay valid. Throws INVALID_INPUT. */
export function checkNewKey({ key }: KeyAddress): void {
  needs(key !== '', 'key must not be empty')
  const length = countCodePoints(key)
  needs(length <= MAX_KEY_LENGTH, keyTooLong(length))
}

function keyTooLong(length: number): string {
  return `the key has ${length} characters; a new key has at most ${MAX_KEY_LENGTH}: choose a shorter one, and keep the rest in the value or in tags`
}

export function keyOf({ address }: KeyFacts): string {
  return (address as KeyAddress).key
}

export function attributesOf({ attributes }: KeyFacts): KeyAttributes {
  return attributes as KeyAttributes
}

/** Whether the key belongs to the client; without one, every key does. */
export function isOwn(document: KeyFacts, owner: string | undefined): boolean {
  return owner === undefined || attributesOf(document).client === owner
}

export function isExpired({ expires_at }: { expires_at?: number }, now: number): boolean {
  return expires_at !== undefined && now >= expires_at
}

/** Whether it has a value now: stored, not forgotten, redacted or expired. */
export function isPresent<D extends KeyFacts>(
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
 * The expiry of a value that is stored now; undefined: never. One that has already expired is never visible. The time
 * starts no earlier than that of the previous value, so a clock that was set back does not shorten it.
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

/** A time in the format of this door's tools. */
export function isoTime(ms: number, micros = 0): string {
  return `${new Date(ms).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}+00:00`
}

/**
 * Identifies the state that a writer read. It is a time, so that clients can show its age; the last three digits
 * distinguish writes within a millisecond.
 */
export function versionOf({ updatedAt, revision }: KeyFacts): string {
  return isoTime(updatedAt, revision % 1000)
}

export function noMemory(key: string): MemoryError {
  return new MemoryError('NOT_FOUND', `No memory found for key '${key}'.`)
}

/** The key is a tombstone until it is forgotten. */
export function redactedKey(key: string): MemoryError {
  return new MemoryError(
    'REDACTED',
    `Memory '${key}' is redacted and keeps no value. Forget it first, then store it again.`,
  )
}
