import { isoTime, isThere, keyAddress, noMemory } from './key-document.ts'
import { shownValue } from './key-item.ts'
import type { KeyReadDeps } from './key-model.ts'
import { earlierVersions, versionTimestamp } from './key-versions.ts'

/** What one answer has at most: the newest versions. In characters of their values; one of them may be longer. */
const MAX_VERSIONS = 1000
const MAX_LENGTH = 16 * 1024 * 1024

export interface KeyHistory {
  versions: { version_timestamp: string; value: string | null; tags: string[]; recorded_at: string }[]
  count: number
}

/** What a key held before, newest first; not what it holds now. A redacted key has none. Throws NOT_FOUND. */
export async function keyHistory(deps: KeyReadDeps, key: string): Promise<KeyHistory> {
  const address = keyAddress(deps.redact, key)
  const versions: KeyHistory['versions'] = []
  await deps.store.read(async (tx) => {
    const document = await tx.findDoorDocument(address)
    if (document?.state === 'erased') return
    if (!isThere(document, deps.now())) throw noMemory(address.key)
    let length = 0
    for await (const version of earlierVersions(tx, document)) {
      const value = shownValue(version)
      length += value?.length ?? 0
      if (length > MAX_LENGTH && versions.length > 0) return
      versions.push({
        version_timestamp: versionTimestamp(version),
        value,
        tags: version.attributes.tags ?? [],
        recorded_at: isoTime(version.createdAt),
      })
      if (versions.length === MAX_VERSIONS) return
    }
  })
  return { versions, count: versions.length }
}
