import { expireKeys } from './expire.ts'
import { forgetAll, forgetKey } from './forget-key.ts'
import type { KeyCount } from './key-count.ts'
import { keyHistory } from './key-history.ts'
import { keyIndex } from './key-index.ts'
import type { KeyDeps, KeyReadDeps } from './key-model.ts'
import { type ListKeysInput, listKeys, listKeyTags } from './list-keys.ts'
import { type PackInput, packKeys } from './pack-keys.ts'
import { findContent, type KeyContent, keyVersion, recall } from './recall.ts'
import { redactKey } from './redact-key.ts'
import { type RememberInput, remember, rememberIfAbsent } from './remember.ts'
import { type RememberBlobInput, rememberBlob } from './remember-blob.ts'
import { restoreKey } from './restore-key.ts'
import { relateKeys, type SearchKeysInput, searchKeys } from './search-keys.ts'
import type { KeyWrite } from './store-value.ts'
import { summarizeKeys } from './summarize-keys.ts'

export interface KeyDoorDeps extends KeyDeps, KeyReadDeps {
  store: KeyDeps['store']
  count: KeyCount
  /** These were asked for: counted and warmed later, never failing. */
  touch: (documentIds: readonly number[]) => void
  /** Something was stored that has an end. */
  onExpiring?: () => void
}

/** Values under keys: what an agent can do with them, in the name of `deps.author`. */
export function createKeyDoor(deps: KeyDoorDeps) {
  const { count, onExpiring = () => undefined } = deps
  async function done<T>(write: Promise<KeyWrite<T>>, ttlSeconds?: number): Promise<T> {
    const { value, snapshot, added } = await write
    count.changed(snapshot, added)
    if (ttlSeconds !== undefined) onExpiring()
    return value
  }
  return {
    remember: (input: Parameters<typeof remember>[1]) => done(remember(deps, input), input.ttlSeconds),
    rememberIfAbsent: (input: RememberInput) => done(rememberIfAbsent(deps, input), input.ttlSeconds),
    rememberBlob: (input: RememberBlobInput) => done(rememberBlob(deps, input)),
    async recall(key: string): Promise<KeyContent> {
      const content = await recall(deps, key)
      if (content.kind !== 'redacted') deps.touch([content.documentId])
      return content
    },
    forget: (key: string) => done(forgetKey(deps, key)),
    forgetAll: (tag: string) => done(forgetAll(deps, tag)),
    redact: (input: { key: string; reason?: string }) => done(redactKey(deps, input)),
    history: (key: string) => keyHistory(deps, key),
    restore: (input: { key: string; versionTimestamp: string }) => done(restoreKey(deps, input)),
    list: (input: ListKeysInput) => listKeys(deps, input),
    listTags: () => listKeyTags(deps),
    summarize: (topic: string) => summarizeKeys(deps, topic),
    search: (input: SearchKeysInput) => searchKeys(deps, input),
    relate: (input: { key: string; topK?: number }) => relateKeys(deps, input),
    pack: (input: PackInput) => packKeys(deps, input),
    /** How many keys are stored. */
    used: () => count.used(),
    /** Removes what has expired; tells how many keys that were. */
    expire: () => done(expireKeys(deps)),
  }
}

export type KeyDoor = ReturnType<typeof createKeyDoor>

/** Values under keys, seen without being felt. */
export function createKeyView(deps: KeyReadDeps) {
  return {
    index: () => keyIndex(deps),
    /** Undefined: there is none. */
    findContent: (key: string) => findContent(deps, key),
    /** Another text after every change of what is stored under a key. */
    version: (key: string) => keyVersion(deps, key),
  }
}

export type KeyView = ReturnType<typeof createKeyView>
