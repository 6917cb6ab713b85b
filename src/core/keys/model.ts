import type { DoorDeps } from '../doors/put-text.ts'
import type { Attributes } from '../port/doors.ts'
import type { Maintenance, Store } from '../port/store.ts'
import { utf8Length } from '../tokens.ts'

/** The type of a value; `text-large` is a text that lists do not include. */
export type ValueType = 'text' | 'text-large' | 'image' | 'blob'

/** Attributes of a key's document. Times in milliseconds since 1970. */
export interface KeyAttributes extends Attributes {
  tags?: string[]
  expires_at?: number
  /** Missing: text. */
  value_type?: ValueType
  content_type?: string
  /** Not for short texts. */
  size_bytes?: number
  /** The client that created it, and owns it until it is forgotten. */
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

/** Dependencies of reads. */
export interface KeyReadDeps {
  store: Pick<Store, 'read' | 'query'>
  now: () => number
  /** Keys are stored without secrets, and so are looked up without them. */
  redact: (text: string) => string
  /** Waits until the accesses counted by this process are stored: for answers that show counts. */
  flushAccesses: () => Promise<void>
}

/** Dependencies of resources that show keys. */
export interface KeyViewDeps extends Omit<KeyReadDeps, 'flushAccesses'> {
  /** Only keys that this client created; others are treated as missing. Default: every key of the memory. */
  owner?: string | undefined
}

/** Dependencies of writes. */
export interface KeyDeps extends DoorDeps {
  maintenance: Pick<Maintenance, 'scrub'>
  limits: () => KeyLimits
}

/** The message for a value that is too large. */
export function valueTooLarge(maxBytes: number, bytes: number): string {
  return `Value exceeds maximum size of ${maxBytes} bytes (${bytes} bytes provided)`
}

/** Larger texts are left out of lists. */
export const LARGE_TEXT_BYTES = 100 * 1024

/** The size of a text; only for a large one. */
export function sizeAttributes(text: string): Pick<KeyAttributes, 'value_type' | 'size_bytes'> {
  const size_bytes = utf8Length(text)
  return size_bytes > LARGE_TEXT_BYTES ? { value_type: 'text-large', size_bytes } : {}
}

/** The value of a redacted key in lists that include redacted keys. */
export const REDACTED_VALUE = '__redacted__'
