import { printable } from '../../util/text/printable.ts'
import { escapeAnswerLines, escapeKeyName } from '../answer-lines.ts'
import type { DoorDocument } from '../port/doors.ts'
import { utf8Length } from '../tokens.ts'
import { attributesOf, isBinary, isoTime, isRedacted, keyOf, valueTypeOf, versionOf } from './document.ts'
import { type KeyAttributes, REDACTED_VALUE, type ValueType } from './model.ts'

/** One key in a list. Times are ISO. */
export interface KeyItem {
  key: string
  /** Null for bytes, empty for a text that is too large for a list: recall returns both. */
  value: string | null
  value_type: ValueType
  content_type: string | null
  size_bytes: number | null
  tags: string[]
  owner_client_id: string
  recall_count: number
  last_accessed_at: string | null
  version: string
  /** Only for a redacted key. */
  redacted_at?: string
}

export function keyItem(document: DoorDocument): KeyItem {
  const {
    tags = [],
    content_type = null,
    size_bytes = null,
    client = '',
    redacted_at,
  } = attributesOf(document)
  return {
    key: keyOf(document),
    value: isRedacted(document) ? REDACTED_VALUE : listedValue(document),
    value_type: valueTypeOf(document),
    content_type,
    size_bytes,
    tags,
    owner_client_id: client,
    recall_count: document.accesses,
    last_accessed_at: document.accessedAt === null ? null : isoTime(document.accessedAt),
    version: versionOf(document),
    ...(redacted_at === undefined ? {} : { redacted_at: isoTime(redacted_at) }),
  }
}

/** The value as lists show it. */
export function listedValue(document: DoorDocument): string | null {
  return valueTypeOf(document) === 'text-large' ? '' : shownValue(document)
}

/** The value, if it is a text. */
export function shownValue({ attributes, text }: Pick<DoorDocument, 'attributes' | 'text'>): string | null {
  return isBinary((attributes as KeyAttributes).value_type ?? 'text') ? null : text
}

/**
 * `**key**: value`: the line of a key in texts for an agent. Further lines of the value cannot be mistaken for another
 * key.
 */
export function keyLine(document: DoorDocument): string {
  const value = escapeAnswerLines(valueLine(document), 'keys', { isInline: true })
  return `**${escapeKeyName(keyOf(document))}**: ${value}`
}

/** The line of a key whose value does not fit in any answer. */
export function keyLineWithout(document: DoorDocument): string {
  const size_bytes = utf8Length(document.text ?? '')
  const attributes = { size_bytes, ...document.attributes }
  return keyLine({ ...document, attributes, text: null })
}

/** The value as texts for an agent show it. */
function valueLine(document: DoorDocument): string {
  const { content_type, size_bytes } = attributesOf(document)
  if (isBinary(valueTypeOf(document)))
    return `[binary content: ${printable(content_type ?? 'application/octet-stream')}]`
  return document.text ?? `[large text: ${size_bytes} bytes; recall it]`
}
