import { MemoryError } from '../errors.ts'
import type { DocumentVersion, DoorDocument } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import { documentAt } from '../write/documents.ts'
import { mutate, prepared, snapshotOperation, stale } from '../write/operation.ts'
import {
  attributesOf,
  isBinary,
  isPresent,
  isRedacted,
  type KeyAddress,
  keyAddress,
  keyOf,
  noMemory,
  redactedKey,
} from './document.ts'
import type { KeyAttributes, KeyDeps } from './model.ts'
import { blobBlock } from './remember-blob.ts'
import { type KeyValue, type PreparedValue, prepareValue, replace } from './store.ts'
import { earlierVersions, versionTimestamp } from './versions.ts'

/** Restores an earlier value of a key, with its tags; the expiry stays as it is. Throws NOT_FOUND, REDACTED. */
export async function restoreKey(
  deps: KeyDeps,
  { key, versionTimestamp: wanted }: { key: string; versionTimestamp: string },
): Promise<string> {
  const address = keyAddress(deps.redact, key)
  return prepared(deps, async () => {
    const { found, version } = await deps.store.read((tx) => readVersion(tx, address, wanted, deps.now()))
    const { attributes, ...then } = valueThen(found, version)
    const value = { ...(await prepareValue(deps, address, then)), attributes }
    await mutate(deps, replaceKey, {
      ...{ operation: 'key', message: 'restore' },
      input: { address, revision: found.revision, value },
    })
    return address.key
  })
}

interface ReplaceKeyInput {
  address: KeyAddress
  /** The revision of the document that `value` was computed for. */
  revision: number
  value: PreparedValue
}

export const replaceKey = snapshotOperation(
  'restore-key',
  async (context, { address, revision, value }: ReplaceKeyInput) => {
    const found = await getKey(context.tx, address, context.at)
    if (found.revision !== revision) throw stale()
    await replace(context, found, value)
  },
)

async function getKey(tx: ReadTx, address: KeyAddress, now: number): Promise<DoorDocument> {
  const found = await documentAt(tx, address, 'whole')
  if (isRedacted(found)) throw redactedKey(address.key)
  if (!isPresent(found, now)) throw noMemory(address.key)
  return found
}

async function readVersion(
  tx: ReadTx,
  address: KeyAddress,
  wanted: string,
  now: number,
): Promise<{ found: DoorDocument; version: DocumentVersion }> {
  const found = await getKey(tx, address, now)
  const version = await findVersion(tx, found, wanted)
  if (version) return { found, version }
  throw new MemoryError('NOT_FOUND', `Version '${wanted}' not found for memory '${address.key}'.`)
}

async function findVersion(
  tx: ReadTx,
  document: DoorDocument,
  wanted: string,
): Promise<DocumentVersion | undefined> {
  for await (const version of earlierVersions(tx, document))
    if (versionTimestamp(version) === wanted) return version
  return undefined
}

function valueThen(found: DoorDocument, version: DocumentVersion): KeyValue {
  const { value_type, content_type, size_bytes, tags = [] } = version.attributes as KeyAttributes
  const { expires_at } = attributesOf(found)
  return {
    text: version.text ?? '',
    attributes: {
      tags,
      ...(expires_at === undefined ? {} : { expires_at }),
      ...(value_type === undefined ? {} : { value_type }),
      ...(content_type === undefined ? {} : { content_type }),
      ...(size_bytes === undefined ? {} : { size_bytes }),
    },
    ...(isBinary(value_type ?? 'text') && {
      instead: [blobBlock(keyOf(found), content_type ?? 'application/octet-stream', size_bytes ?? 0)],
    }),
  }
}
