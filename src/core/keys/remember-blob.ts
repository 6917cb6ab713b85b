import { decodeBase64, decodedLength } from '../../util/text/base64.ts'
import { MemoryError, needs } from '../errors.ts'
import type { Block } from '../model.ts'
import { prepareRedacted } from '../prepare.ts'
import { keyAddress } from './document.ts'
import type { KeyDeps } from './model.ts'
import { redactBytes } from './redact-bytes.ts'
import { type StoredStatus, storeValue } from './store.ts'

export interface RememberBlobInput {
  key: string
  /** Base64. */
  data: string
  contentType: string
  tags?: readonly string[]
}

/** Longer than any MIME type. */
const MAX_CONTENT_TYPE = 255
const MIB = 1024 * 1024

/** Stores bytes under a key, or replaces its value. */
export async function rememberBlob(
  deps: KeyDeps,
  { key, data, contentType: given, tags = [] }: RememberBlobInput,
): Promise<StoredStatus> {
  const contentType = given.toWellFormed().trim()
  if (contentType === '')
    throw new MemoryError('INVALID_INPUT', 'content_type must be a non-empty MIME type string.')
  needs(
    contentType.length <= MAX_CONTENT_TYPE,
    `content_type has ${contentType.length} characters; the maximum is ${MAX_CONTENT_TYPE}: give a MIME type such as image/png`,
  )
  needs(!/\p{Cc}/u.test(contentType), 'content_type must be a MIME type such as image/png')
  const bytes = bytesOf(data, deps.limits().maxBlobBytes)
  const text = await redactBytes((text) => deps.prepare(prepareRedacted, text), bytes)
  const done = await storeValue(deps, key, {
    text,
    attributes: {
      tags: tags.map((tag) => tag.toWellFormed()),
      value_type: contentType.toLowerCase().startsWith('image/') ? 'image' : 'blob',
      content_type: contentType,
      size_bytes: decodedLength(text),
    },
    instead: [blobBlock(keyAddress(deps.redact, key).key, contentType, decodedLength(text))],
  })
  return done as StoredStatus
}

function bytesOf(data: string, maxBytes: number): Uint8Array {
  // Before decoding: data that is far too large is not copied.
  const length = decodedLength(data)
  if (length > maxBytes)
    throw new MemoryError(
      'INVALID_INPUT',
      `Binary payload exceeds the ${limitWords(maxBytes)} limit (${length} bytes provided).`,
    )
  const decoded = decodeBase64(data)
  if ('refused' in decoded)
    throw new MemoryError('INVALID_INPUT', `data is not valid Base64: ${decoded.refused}`)
  return decoded.bytes
}

function limitWords(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MB` : `${bytes} bytes`
}

/** The searchable part of a blob: its name, type and size. Never its bytes. */
export function blobBlock(key: string, contentType: string, sizeBytes: number): Block {
  const format = contentType.toLowerCase().startsWith('image/') ? 'image' : 'embed'
  return { type: 'embed', format, text: `${key} (${contentType}, ${sizeBytes} bytes)`, children: [] }
}
