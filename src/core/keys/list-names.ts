import type { DocumentQuery } from '../port/documents.ts'
import { isPresent, keyOf } from './document.ts'
import type { KeyViewDeps } from './model.ts'

/** Maximum number of keys in the index: the first of those it may show. */
export const MAX_INDEXED = 500

export interface KeyIndex {
  /** In the order of their characters; without redacted and expired keys. */
  keys: string[]
  /** There are more keys. */
  isCut: boolean
}

/** The first keys by name. Not an access. */
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
    .filter((document) => isPresent(document, deps.now()))
    .map(keyOf)
  return { keys, isCut: found.length > MAX_INDEXED }
}
