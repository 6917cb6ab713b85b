import { needs } from '../errors.ts'
import { fitListed } from '../fit-json.ts'
import { documentAt } from '../write/documents.ts'
import { isoTime, isPresent, keyAddress, noMemory } from './document.ts'
import { shownValue } from './item.ts'
import type { KeyReadDeps } from './model.ts'
import { earlierVersions, versionTimestamp } from './versions.ts'

/**
 * Limits of one answer: the newest versions, by the length of their values in characters; one of them may be longer.
 */
const MAX_VERSIONS = 1000
const MAX_LENGTH = 16 * 1024 * 1024

export interface KeyHistory {
  versions: { version_timestamp: string; value: string | null; tags: string[]; recorded_at: string }[]
  count: number
  /** Only if there is more. */
  has_more?: true
  next_cursor?: string
}

export interface KeyHistoryPage {
  /** Maximum number of versions. */
  limit?: number
  /** `next_cursor` of the previous page. */
  cursor?: string
  /** Maximum length of the versions as JSON, in characters: longer values are left out. Default: 16 MiB. */
  maxLength?: number
}

/** The earlier values of a key, newest first, without the current one. A redacted key has none. Throws NOT_FOUND. */
export async function keyHistory(
  deps: KeyReadDeps,
  key: string,
  { limit = MAX_VERSIONS, cursor, maxLength = MAX_LENGTH }: KeyHistoryPage = {},
): Promise<KeyHistory> {
  const address = keyAddress(deps.redact, key)
  const versions: KeyHistory['versions'] = []
  let isPassed = cursor === undefined
  let isMore = false
  await deps.store.read(async (tx) => {
    const document = await documentAt(tx, address, 'whole')
    if (document?.state === 'erased') return
    if (!isPresent(document, deps.now())) throw noMemory(address.key)
    let length = 0
    for await (const version of earlierVersions(tx, document)) {
      const version_timestamp = versionTimestamp(version)
      if (!isPassed) {
        isPassed = version_timestamp === cursor
        continue
      }
      const value = shownValue(version)
      length += value?.length ?? 0
      isMore = versions.length >= Math.min(limit, MAX_VERSIONS) || (length > maxLength && versions.length > 0)
      if (isMore) return
      const { tags = [] } = version.attributes
      versions.push({ version_timestamp, value, tags, recorded_at: isoTime(version.createdAt) })
    }
  })
  needs(isPassed, 'Invalid pagination cursor')
  const shown = maxLength < MAX_LENGTH ? fitListed(versions, maxLength) : versions
  const last = shown.at(-1)
  const hasMore = last !== undefined && (isMore || shown.length < versions.length)
  return {
    versions: shown,
    count: shown.length,
    ...(hasMore && { has_more: true, next_cursor: last.version_timestamp }),
  }
}
