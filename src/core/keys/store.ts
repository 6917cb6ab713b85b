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
  isPresent,
  isRedacted,
  type KeyAddress,
  keyAddress,
  keyOf,
  redactedKey,
  valueTypeOf,
  versionOf,
} from './document.ts'
import type { KeyAttributes, KeyDeps } from './model.ts'

/** Maximum length of all tags of a key together, in characters. */
const MAX_TAGS_LENGTH = 16_384

export type StoredStatus = 'stored' | 'updated' | 'unchanged'

/** A value to store. */
export interface KeyValue {
  text: string
  attributes: KeyAttributes
  /** From the time it is stored; undefined: never expires. */
  ttlSeconds?: number | undefined
  /** Replaces the parsed blocks of the text. */
  instead?: Block[]
}

/** Replace a key only at this version, or store it only if it is absent. Default: always. */
export type ReplaceOnly = { version: string } | 'absent'

/** Stores a value under a key. Throws REDACTED for a redacted key, CONFLICT if the key is at another version. */
export async function storeValue(
  deps: KeyDeps,
  key: string,
  given: KeyValue,
  only?: ReplaceOnly,
): Promise<StoredStatus | 'kept'> {
  const address = keyAddress(deps.redact, key)
  // Redacted, it could be the name of another key, whose value would be lost.
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

/** A value with its nodes. */
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
    if (!isPresent(found, at)) {
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
    `the tags have ${length} characters in total; the maximum is ${MAX_TAGS_LENGTH}: give fewer or shorter ones`,
  )
}

async function create(
  context: PutContext,
  address: KeyAddress,
  value: PreparedValue,
  facts: PutFacts,
): Promise<void> {
  // An expired value was a separate memory with the same name: its counts and age end with it.
  const expired = facts.contents.documents.filter(({ state }) => state === 'live')
  if (expired.length > 0) await dropDocuments(context, expired, await context.snapshot.row())
  const put = { address, ...value, attributes: { ...value.attributes, client: context.author } }
  await putText(context, put, expired.length > 0 ? undefined : facts)
}

/** The creator stays the same after a change. */
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

/** The order of tags does not count. A document whose nodes were edited by hand differs from what was stored. */
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
 * The key is at another version than expected. A value that is too long for an answer is left out completely: a client
 * that stored a part of it back would replace all of it.
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
