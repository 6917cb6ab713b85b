import { totalOf } from '../write/documents.ts'
import { checkInput, checkText } from './check-input.ts'
import { expireKeys } from './expire.ts'
import { forgetAll, forgetKey } from './forget-key.ts'
import { type KeyHistoryPage, keyHistory } from './key-history.ts'
import { keyIndex } from './key-index.ts'
import type { KeyDeps, KeyReadDeps, KeyViewDeps } from './key-model.ts'
import { type ListKeysInput, listKeys } from './list-keys.ts'
import { type ListTagsInput, listKeyTags } from './list-tags.ts'
import { type PackInput, packKeys } from './pack-keys.ts'
import { findContent, type KeyContent, keyVersion, recall } from './recall.ts'
import { redactKey } from './redact-key.ts'
import { type RememberInput, remember, rememberIfAbsent } from './remember.ts'
import { type RememberBlobInput, rememberBlob } from './remember-blob.ts'
import { restoreKey } from './restore-key.ts'
import { relateKeys, type SearchKeysInput, searchKeys } from './search-keys.ts'
import { type SummarizePage, summarizeKeys } from './summarize-keys.ts'

export interface KeyDoorDeps {
  reads: KeyReadDeps
  writes: KeyDeps
  /** These were asked for: counted and warmed later, never failing. */
  touch: (documentIds: readonly number[]) => void
  /** Something was stored that has an end. */
  onExpiring?: () => void
}

const STORED = { kind: 'key', states: ['live', 'erased'] } as const

/** Values under keys: what an agent can do with them, in the name of the author that `writes` sign with. */
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
    async recall(key: string): Promise<KeyContent> {
      const content = await recall(reads, key)
      if (content.kind !== 'redacted') touch([content.documentId])
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
    /** How many keys are stored, with those that are redacted or whose time has come. */
    used: () => reads.store.read(async (tx) => (await totalOf(tx, STORED)).count),
    /** Removes some of what has expired; tells how many keys that were. */
    expire: () => expireKeys(writes),
  }
}

export type KeyDoor = ReturnType<typeof createKeyDoor>

/** Values under keys, those of one owner or all, seen without being felt. */
export function createKeyView(deps: KeyViewDeps) {
  return {
    index: () => keyIndex(deps),
    /** Undefined: there is none. */
    findContent: (key: string) => findContent(deps, key),
    /** Another text after every change of what is stored under a key. */
    version: (key: string) => keyVersion(deps, key),
  }
}

export type KeyView = ReturnType<typeof createKeyView>
