import type { AsOf, MaybePast } from '../port/history.ts'
import { checkInput, checkText } from './check.ts'
import { expireKeys } from './expire.ts'
import { forgetAll, forgetKey } from './forget.ts'
import { type KeyHistoryPage, keyHistory } from './history.ts'
import { type ListKeysInput, listKeys } from './list.ts'
import { keyIndex } from './list-names.ts'
import { type ListTagsInput, listKeyTags } from './list-tags.ts'
import type { KeyDeps, KeyReadDeps, KeyViewDeps } from './model.ts'
import { type PackInput, packKeys } from './pack.ts'
import { countKeys, memoryQuota } from './quota.ts'
import { findContent, type KeyContent, keyVersion, recall } from './recall.ts'
import { redactKey } from './redact.ts'
import { type RememberInput, remember, rememberIfAbsent } from './remember.ts'
import { type RememberBlobInput, rememberBlob } from './remember-blob.ts'
import { restoreKey } from './restore.ts'
import { relateKeys, type SearchKeysInput, searchKeys } from './search.ts'
import { type SummarizePage, summarizeKeys } from './summarize.ts'

export interface KeyDoorDeps {
  reads: KeyReadDeps
  writes: KeyDeps
  /** These were accessed: counted and warmed later; never fails. */
  touch: (documentIds: readonly number[]) => void
  /** A value with an expiry was stored. */
  onExpiring?: () => void
}

/** Values under keys, signed by the author of `writes`. */
export function createKeyDoor({ reads, writes, touch, onExpiring = () => undefined }: KeyDoorDeps) {
  async function writeExpiring<T>(
    { ttlSeconds }: Pick<RememberInput, 'ttlSeconds'>,
    stored: Promise<T>,
  ): Promise<T> {
    const value = await stored
    if (ttlSeconds !== undefined) onExpiring()
    return value
  }
  return {
    async remember(input: Parameters<typeof remember>[1]) {
      checkInput('remember', input)
      return writeExpiring(input, remember(writes, input))
    },
    async rememberIfAbsent(input: RememberInput) {
      checkInput('rememberIfAbsent', input)
      return writeExpiring(input, rememberIfAbsent(writes, input))
    },
    async rememberBlob(input: RememberBlobInput) {
      checkInput('rememberBlob', input)
      return rememberBlob(writes, input)
    },
    async recall(key: string, at?: AsOf): Promise<KeyContent & MaybePast> {
      const content = await recall(reads, key, at)
      if (content.kind !== 'redacted' && !content.readAt) touch([content.documentId])
      return content
    },
    forget: (key: string) => forgetKey(writes, key),
    async forgetAll(tag: string) {
      checkText('forgetAll', 'tag', tag)
      return forgetAll(writes, tag)
    },
    async redact(input: { key: string; reason?: string }) {
      checkInput('redact', input)
      return redactKey(writes, input)
    },
    async history(key: string, page: KeyHistoryPage = {}) {
      checkInput('history', page)
      return keyHistory(reads, key, page)
    },
    async restore(input: { key: string; versionTimestamp: string }) {
      checkInput('restore', input)
      return restoreKey(writes, input)
    },
    async list(input: ListKeysInput = {}) {
      checkInput('list', input)
      return listKeys(reads, input)
    },
    async listTags(page: ListTagsInput = {}) {
      checkInput('listTags', page)
      return listKeyTags(reads, page)
    },
    async summarize(topic: string, page: SummarizePage = {}) {
      checkText('summarize', 'topic', topic)
      checkInput('summarize', page)
      return summarizeKeys(reads, topic, page)
    },
    async search(input: SearchKeysInput) {
      checkInput('search', input)
      return searchKeys(reads, input)
    },
    async relate(input: Parameters<typeof relateKeys>[1]) {
      checkInput('relate', input)
      return relateKeys(reads, input)
    },
    async pack(input: PackInput) {
      checkInput('pack', input)
      return packKeys(reads, input)
    },
    /** How many keys are stored, including redacted and expired ones. */
    used: () => countKeys(reads.store),
    /** How much of its quota the user of the author has used. */
    quota: () => memoryQuota(reads.store, writes.caller),
    /** Removes some expired keys; returns how many. */
    expire: () => expireKeys(writes),
  }
}

export type KeyDoor = ReturnType<typeof createKeyDoor>

/** Reads of values under keys, those of one owner or all, that do not count as accesses. */
export function createKeyView(deps: KeyViewDeps) {
  return {
    index: () => keyIndex(deps),
    /** Undefined if there is none. */
    findContent: (key: string) => findContent(deps, key),
    /** Changes with every change under the key. */
    version: (key: string) => keyVersion(deps, key),
  }
}

export type KeyView = ReturnType<typeof createKeyView>
