import { putText, redactAttributes } from '../doors/put-text.ts'
import { needs } from '../errors.ts'
import type { Block } from '../model.ts'
import { mutate } from '../operation.ts'
import type { DoorDocument } from '../port/doors.ts'
import type { SnapshotRow } from '../port/store.ts'
import type { PutContext } from '../put.ts'
import {
  attributesOf,
  checkNewKey,
  expiryOf,
  isRedacted,
  isThere,
  type KeyAddress,
  keyAddress,
  redactedKey,
} from './key-document.ts'
import type { KeyAttributes, KeyDeps } from './key-model.ts'

/** Of all tags of a key together, in characters. */
const MAX_TAGS_LENGTH = 16_384

export type StoredStatus = 'stored' | 'updated' | 'unchanged'

/** What a write did, and by how many there are more keys now. */
export interface KeyWrite<T> {
  value: T
  snapshot: SnapshotRow | null
  added: number
}

/** A value as it is to be stored: without secrets. */
export interface KeyValue {
  text: string
  attributes: KeyAttributes
  /** From the moment in which it is stored; undefined: it stays. */
  ttlSeconds?: number | undefined
  /** Instead of what the text parses to. */
  instead?: Block[]
}

/**
 * Stores a value under a key. Whoever decides by what is there (`check`) does so inside the transaction: nobody can write in
 * between. Throws REDACTED for a redacted key.
 */
export async function storeValue(
  deps: KeyDeps,
  key: string,
  given: KeyValue,
  check: (found: DoorDocument) => 'replace' | 'keep' = () => 'replace',
): Promise<KeyWrite<StoredStatus | 'kept'>> {
  const address = keyAddress(deps.redact, key)
  // Without its secret a key could be another's, and what was stored there would be lost.
  needs(
    address.key === key.toWellFormed(),
    'the key looks like a secret, and secrets are not stored; choose another name for it',
  )
  checkTags(given.attributes.tags)
  const redacted = redactAttributes(deps.redact, given.attributes)
  const attributes = { ...redacted, tags: [...new Set(redacted.tags)] }
  const { value: done, snapshot } = await mutate(
    deps,
    { operation: 'key', message: 'remember' },
    async (context) => {
      const found = await context.tx.findDoorDocument(address)
      if (isRedacted(found)) throw redactedKey(address.key)
      const expiry = expiryOf(deps.now(), given.ttlSeconds, found)
      const value = { ...given, attributes: { ...attributes, ...expiry } }
      if (!isThere(found, deps.now())) {
        checkNewKey(address)
        await create(deps, context, address, found, value)
        return { value: 'stored' as const, added: found?.state === 'live' ? 0 : 1 }
      }
      const isKept = check(found) === 'keep'
      return { value: isKept ? ('kept' as const) : await replace(deps, context, found, value), added: 0 }
    },
  )
  return { ...done, snapshot }
}

/** Lists show the tags of every key. */
function checkTags(tags: readonly string[] = []): void {
  const length = tags.reduce((sum, tag) => sum + tag.length, 0)
  needs(
    length <= MAX_TAGS_LENGTH,
    `the tags have ${length} characters together, and they may have ${MAX_TAGS_LENGTH}; give fewer or shorter ones`,
  )
}

async function create(
  deps: KeyDeps,
  context: PutContext,
  address: KeyAddress,
  found: DoorDocument | undefined,
  { text, attributes, instead }: KeyValue,
): Promise<void> {
  // What expired was another memory of the same name: its counts and its age end with it.
  if (found?.state === 'live')
    await context.tx.setDocumentState(found.id, 'removed', await context.snapshot.id())
  await putText(deps, context, {
    address,
    text,
    attributes: { ...attributes, client: deps.redact(deps.author) },
    heading: address.key,
    found: found ?? null,
    ...(instead && { instead }),
  })
}

/** Who made it stays, whoever changes it. */
export async function replace(
  deps: KeyDeps,
  context: PutContext,
  found: DoorDocument,
  { text, attributes, instead }: KeyValue,
): Promise<'updated' | 'unchanged'> {
  const address = found.address as KeyAddress
  const { client = deps.redact(deps.author) } = attributesOf(found)
  if (isSame(found, { text, attributes })) return 'unchanged'
  await putText(deps, context, {
    address,
    text,
    attributes: { ...attributes, client },
    heading: address.key,
    found,
    ...(instead && { instead }),
  })
  return 'updated'
}

/** The order of tags says nothing. A document whose nodes were changed by hand no longer says what was stored. */
function isSame(found: DoorDocument, { text, attributes }: KeyValue): boolean {
  const stored = attributesOf(found)
  return (
    found.digest !== null &&
    found.text === text &&
    stored.expires_at === attributes.expires_at &&
    stored.value_type === attributes.value_type &&
    stored.content_type === attributes.content_type &&
    new Set([...(stored.tags ?? []), ...(attributes.tags ?? [])]).size === stored.tags?.length &&
    stored.tags.length === attributes.tags?.length
  )
}
