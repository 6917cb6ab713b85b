import { readAt } from '../past/store-at.ts'
import type { AsOf, MaybePast } from '../port/history.ts'
import type { Store } from '../port/store.ts'
import { documentAt } from '../write/documents.ts'
import {
  attributesOf,
  isBinary,
  isOwn,
  isPresent,
  isRedacted,
  keyAddress,
  keyOf,
  noMemory,
  valueTypeOf,
  versionOf,
} from './document.ts'
import type { KeyReadDeps, KeyViewDeps, ValueType } from './model.ts'

/** The content of a key. */
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

type ContentDeps = Omit<KeyViewDeps, 'store'> & { store: Pick<Store, 'read'> }

/** The value of a key; undefined if there is none, it has expired, or it is another owner's. */
export async function findContent(deps: ContentDeps, key: string): Promise<KeyContent | undefined> {
  const address = keyAddress(deps.redact, key)
  // Expiry is checked here.
  const document = await deps.store.read((tx) => documentAt(tx, address, 'text'), { includeExpired: true })
  if (!document || !isOwn(document, deps.owner)) return undefined
  if (isRedacted(document)) return { kind: 'redacted', key: address.key, redactedAt: redactedAt(document) }
  if (!isPresent(document, deps.now())) return undefined
  const type = valueTypeOf(document)
  const named = { key: keyOf(document), documentId: document.id, version: versionOf(document) }
  const text = document.text ?? ''
  if (!isBinary(type)) return { kind: 'text', ...named, text }
  const contentType = attributesOf(document).content_type ?? 'application/octet-stream'
  return { kind: 'bytes', ...named, type: type === 'image' ? type : 'blob', contentType, base64: text }
}

/** Changes with every change under the key, including its expiry. Another owner's key is treated as missing. */
export async function keyVersion(deps: KeyViewDeps, key: string): Promise<string> {
  const address = keyAddress(deps.redact, key)
  const document = await deps.store.read((tx) => documentAt(tx, address, 'head'))
  if (!document || !isOwn(document, deps.owner)) return ''
  return `${isPresent(document, deps.now()) ? 'live' : 'gone'} ${document.state} ${document.revision}`
}

/** Like `findContent`, or the value of then; throws NOT_FOUND if there is none, or it has expired. */
export async function recall(
  deps: Omit<KeyReadDeps, 'flushAccesses'>,
  key: string,
  { asOf }: AsOf = {},
): Promise<KeyContent & MaybePast> {
  return readAt(deps.store, { asOf, now: deps.now(), part: 'documents' }, async (store, now) => {
    const content = await findContent({ redact: deps.redact, store, now: () => now }, key)
    if (!content) throw noMemory(keyAddress(deps.redact, key).key)
    return content
  })
}

function redactedAt(document: Parameters<typeof attributesOf>[0]): number {
  return attributesOf(document).redacted_at ?? document.updatedAt
}
