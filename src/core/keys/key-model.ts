import type { DoorDeps } from '../doors/put-text.ts'
import type { Attributes } from '../port/doors.ts'
import type { Maintenance, Store } from '../port/store.ts'
import { utf8Length } from '../tokens.ts'

/** What a key's value is; `text-large` is a text that lists do not carry. */
export type ValueType = 'text' | 'text-large' | 'image' | 'blob'

/** Attributes of a key's document. Times in milliseconds since 1970. */
export interface KeyAttributes extends Attributes {
  tags?: string[]
  expires_at?: number
  /** Missing: text. */
  value_type?: ValueType
  content_type?: string
  /** Of what is no short text. */
  size_bytes?: number
  /** Who made it: whose it is until it is forgotten. */
  client?: string
  /** Only on a tombstone. */
  redacted_at?: number
}

export interface KeyLimits {
  /** Of a value, in UTF-8. */
  maxValueBytes: number
  /** Of a blob, decoded. */
  maxBlobBytes: number
}

/** What reads of keys need. */
export interface KeyReadDeps {
  store: Pick<Store, 'read' | 'query'>
  now: () => number
  /** A key that has a secret in it is stored without, and so is looked up without. */
  redact: (text: string) => string
  /** Waits until what this process counted is stored: for answers that show counts. */
  settled: () => Promise<void>
}

/** What resources need to show keys. */
export interface KeyViewDeps extends Omit<KeyReadDeps, 'settled'> {
  /** Only what this client stored: others' keys are not there. Default: every key of the memory. */
  owner?: string | undefined
}

/** What changes of keys need. */
export interface KeyDeps extends DoorDeps {
  maintenance: Pick<Maintenance, 'scrub'>
  limits: () => KeyLimits
}

/** What is said of a value that is. */
export function valueTooLarge(maxBytes: number, bytes: number): string {
  return `Value exceeds maximum size of ${maxBytes} bytes (${bytes} bytes provided)`
}

/** Larger texts are left out of lists. */
export const LARGE_TEXT_BYTES = 100 * 1024

/** What is known of how large a text is: only of a large one. */
export function sizeAttributes(text: string): Pick<KeyAttributes, 'value_type' | 'size_bytes'> {
  const size_bytes = utf8Length(text)
  return size_bytes > LARGE_TEXT_BYTES ? { value_type: 'text-large', size_bytes } : {}
}

/** What lists show of a redacted key when they are asked for those too. */
export const REDACTED_VALUE = '__redacted__'
