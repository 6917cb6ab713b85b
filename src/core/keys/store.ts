import { pythonJson, pythonRepr } from '../../util/text/python-text.ts'
import { type PreparedText, prepareText, putText, redactAttributes } from '../doors/put-text.ts'
import { MemoryError, needs } from '../errors.ts'
import { DEFAULT_ROOM } from '../find/budget.ts'
import type { Block } from '../model.ts'
import type { DoorDocument } from '../port/doors.ts'
import { dropDocuments } from '../rows/documents.ts'
import { documentAt } from '../write/documents.ts'
import { mutate, snapshotOperation } from '../write/operation.ts'
import { factsFor, type PutContext, type PutFacts } from '../write/put.ts'
import {
  attributesOf,
  checkNewKey,
  expiryOf,
  isBinary,
  isRedacted,
  isThere,
  type KeyAddress,
  keyAddress,
  keyOf,
  redactedKey,
  valueTypeOf,
  versionOf,
} from './document.ts'
import type { KeyAttributes, KeyDeps } from './model.ts'

/** Of all tags of a key together, in characters. */
const MAX_TAGS_LENGTH = 16_384

export type StoredStatus = 'stored' | 'updated' | 'unchanged'

/** A value as it is to be stored: without secrets. */
export interface KeyValue {
  text: string
  attributes: KeyAttributes
  /** From the moment in which it is stored; undefined: it stays. */
  ttlSeconds?: number | undefined
  /** Instead of what the text parses to. */
  instead?: Block[]
}

/** What must be so of a key that is there for it to be replaced: this version of it, or that there is none. Default: anything. */
export type ReplaceOnly = { version: string } | 'absent'

/** Stores a value under a key. Throws REDACTED for a redacted key, CONFLICT for another version than the one named. */
export async function storeValue(
  deps: KeyDeps,
  key: string,
  given: KeyValue,
  only?: ReplaceOnly,
): Promise<StoredStatus | 'kept'> {
  const address = keyAddress(deps.redact, key)
  // Without its secret a key could be another's, and what was stored there would be lost.
  needs(
    address.key === key.toWellFormed(),
    'the key looks like a secret, and secrets are not stored; choose another name for it',
  )
  checkTags(given.attributes.tags)
  const redacted = redactAttributes(deps.redact, given.attributes)
  const attributes = { ...redacted, tags: [...new Set(redacted.tags)] }
  const value = { ...(await prepareValue(deps, address, given)), attributes, ttlSeconds: given.ttlSeconds }
  const about = { operation: 'key', message: 'remember' }
  return (await mutate(deps, putKey, { ...about, input: { address, value, only } })).value
}

export function prepareValue(
  deps: KeyDeps,
  { key }: KeyAddress,
  { text, instead }: Pick<KeyValue, 'text' | 'instead'>,
): Promise<PreparedText> {
  return deps.prepare(prepareText, { text, heading: key, ...(instead && { instead }) })
}

/** A value with the nodes that it is made of. */
export interface PreparedValue extends PreparedText {
  attributes: KeyAttributes
}

interface PutKeyInput {
  address: KeyAddress
  value: PreparedValue & Pick<KeyValue, 'ttlSeconds'>
  only: ReplaceOnly | undefined
}

export const putKey = snapshotOperation(
  'remember',
  async (
    context,
    { address, value: { ttlSeconds, ...given }, only }: PutKeyInput,
  ): Promise<StoredStatus | 'kept'> => {
    const { at } = context
    const [found, facts] = await Promise.all([
      documentAt(context.tx, address, 'whole'),
      factsFor(context, [{ address, ...given }]),
    ])
    if (isRedacted(found)) throw redactedKey(address.key)
    const expiry = expiryOf(at, ttlSeconds, found)
    const value = { ...given, attributes: { ...given.attributes, ...expiry } }
    if (!isThere(found, at)) {
      checkNewKey(address)
      await create(context, address, value, facts)
      return 'stored'
    }
    if (only === 'absent') return 'kept'
    if (only && only.version !== versionOf(found)) throw keyConflict(found, only.version)
    return replace(context, found, value, facts)
  },
)

/** Lists show the tags of every key. */
function checkTags(tags: readonly string[] = []): void {
  const length = tags.reduce((sum, tag) => sum + tag.length, 0)
  needs(
    length <= MAX_TAGS_LENGTH,
    `the tags have ${length} characters together, and they may have ${MAX_TAGS_LENGTH}; give fewer or shorter ones`,
  )
}

async function create(
  context: PutContext,
  address: KeyAddress,
  value: PreparedValue,
  facts: PutFacts,
): Promise<void> {
  // What expired was another memory of the same name: its counts and its age end with it.
  const expired = facts.contents.documents.filter(({ state }) => state === 'live')
  if (expired.length > 0) await dropDocuments(context, expired, await context.snapshot.row())
  const put = { address, ...value, attributes: { ...value.attributes, client: context.author } }
  await putText(context, put, expired.length > 0 ? undefined : facts)
}

/** Who made it stays, whoever changes it. */
export async function replace(
  context: PutContext,
  found: DoorDocument,
  value: PreparedValue,
  facts?: PutFacts,
): Promise<'updated' | 'unchanged'> {
  const address = found.address as KeyAddress
  const { client = context.author } = attributesOf(found)
  if (isSame(found, value)) return 'unchanged'
  await putText(context, { address, ...value, attributes: { ...value.attributes, client } }, facts)
  return 'updated'
}

/** The order of tags says nothing. A document whose nodes were changed by hand no longer says what was stored. */
function isSame(found: DoorDocument, { text, attributes }: PreparedValue): boolean {
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

/**
 * The key is at another version than the one that was to be replaced. A value that is too long for an answer is left out whole: stored back, a part of it would replace
 * all of it.
 */
function keyConflict(found: DoorDocument, attempted: string): MemoryError {
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
