import type { DocumentQuery } from '../port/documents.ts'
import { isThere, keyOf } from './key-document.ts'
import type { KeyViewDeps } from './key-model.ts'

/** Keys that an index looks at: the first ones of those that it may show. */
export const MAX_INDEXED = 500

export interface KeyIndex {
  /** In the order of their characters; without those that are redacted or expired. */
  keys: string[]
  /** There are more keys than were looked at. */
  isCut: boolean
}

/** The first keys by name. Nothing is touched by it. */
export async function keyIndex(deps: Pick<KeyViewDeps, 'store' | 'now' | 'owner'>): Promise<KeyIndex> {
  const { owner } = deps
  const query: DocumentQuery = {
    ...{ kind: 'key', states: ['live', 'erased'] },
    ...(owner !== undefined && { where: [{ attribute: 'client', in: [owner] }] }),
  }
  const found = await deps.store.read((tx) =>
    tx.documents(query, 'head', { sort: [{ by: 'name' }], limit: MAX_INDEXED + 1 }),
  )
  const keys = found
    .slice(0, MAX_INDEXED)
    .filter((document) => isThere(document, deps.now()))
    .map(keyOf)
  return { keys, isCut: found.length > MAX_INDEXED }
}
