import { MemoryError } from '../errors.ts'
import { mutate } from '../operation.ts'
import type { DocumentVersion, DoorDocument } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import {
  attributesOf,
  isBinary,
  isRedacted,
  isThere,
  keyAddress,
  keyOf,
  noMemory,
  redactedKey,
} from './key-document.ts'
import type { KeyAttributes, KeyDeps } from './key-model.ts'
import { earlierVersions, versionTimestamp } from './key-versions.ts'
import { blobBlock } from './remember-blob.ts'
import { type KeyValue, type KeyWrite, replace } from './store-value.ts'

/** Makes a key hold again what it held, value and tags; when it ends stays as it is. Throws NOT_FOUND, REDACTED. */
export async function restoreKey(
  deps: KeyDeps,
  { key, versionTimestamp: wanted }: { key: string; versionTimestamp: string },
): Promise<KeyWrite<string>> {
  const address = keyAddress(deps.redact, key)
  const { snapshot } = await mutate(deps, { operation: 'key', message: 'restore' }, async (context) => {
    const found = await context.tx.findDoorDocument(address)
    if (isRedacted(found)) throw redactedKey(address.key)
    if (!isThere(found, deps.now())) throw noMemory(address.key)
    const version = await findVersion(context.tx, found, wanted)
    if (!version)
      throw new MemoryError('NOT_FOUND', `Version '${wanted}' not found for memory '${address.key}'.`)
    await replace(deps, context, found, valueThen(found, version))
  })
  return { value: address.key, snapshot, added: 0 }
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
