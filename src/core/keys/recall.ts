import { documentAt } from '../write/documents.ts'
import {
  attributesOf,
  isBinary,
  isOwn,
  isRedacted,
  isThere,
  keyAddress,
  keyOf,
  noMemory,
  valueTypeOf,
  versionOf,
} from './key-document.ts'
import type { KeyReadDeps, KeyViewDeps, ValueType } from './key-model.ts'

/** What a key holds. */
export type KeyContent =
  | { kind: 'text'; key: string; documentId: number; version: string; text: string }
  | {
      kind: 'bytes'
      key: string
      documentId: number
      version: string
      type: Extract<ValueType, 'image' | 'blob'>
      contentType: string
      base64: string
    }
  | { kind: 'redacted'; key: string; redactedAt: number }

/** The value of a key; undefined where there is none, or no longer, and for another owner's. */
export async function findContent(deps: KeyViewDeps, key: string): Promise<KeyContent | undefined> {
  const address = keyAddress(deps.redact, key)
  // Whether it has expired is decided here.
  const document = await deps.store.read((tx) => documentAt(tx, address, 'text'), { includeExpired: true })
  if (!document || !isOwn(document, deps.owner)) return undefined
  if (isRedacted(document)) return { kind: 'redacted', key: address.key, redactedAt: redactedAt(document) }
  if (!isThere(document, deps.now())) return undefined
  const type = valueTypeOf(document)
  const named = { key: keyOf(document), documentId: document.id, version: versionOf(document) }
  const text = document.text ?? ''
  if (!isBinary(type)) return { kind: 'text', ...named, text }
  const contentType = attributesOf(document).content_type ?? 'application/octet-stream'
  return { kind: 'bytes', ...named, type: type === 'image' ? type : 'blob', contentType, base64: text }
}

/** Another text after every change of what is stored under a key; its end is one. Another owner's is as one that is not there. */
export async function keyVersion(deps: KeyViewDeps, key: string): Promise<string> {
  const address = keyAddress(deps.redact, key)
  const document = await deps.store.read((tx) => documentAt(tx, address, 'head'))
  if (!document || !isOwn(document, deps.owner)) return ''
  return `${isThere(document, deps.now()) ? 'live' : 'gone'} ${document.state} ${document.revision}`
}

/** As `findContent`; throws NOT_FOUND where there is none, or no longer. */
export async function recall(deps: Omit<KeyReadDeps, 'settled'>, key: string): Promise<KeyContent> {
  const content = await findContent(deps, key)
  if (!content) throw noMemory(keyAddress(deps.redact, key).key)
  return content
}

function redactedAt(document: Parameters<typeof attributesOf>[0]): number {
  return attributesOf(document).redacted_at ?? document.updatedAt
}
