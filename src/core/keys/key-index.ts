import { isThere, keyOf } from './key-document.ts'
import type { KeyReadDeps } from './key-model.ts'
import { keyUri } from './key-uri.ts'

const MAX_ENTRIES = 500
const NOTE =
  '_(Index capped at 500 entries; more results may exist. Use the `list_memories` tool with tags for targeted retrieval.)_'

/** The URIs of the first keys in the order of their characters, one a line. Nothing is touched by it. */
export async function keyIndex(deps: Pick<KeyReadDeps, 'store' | 'now'>): Promise<string> {
  const found = await deps.store.read((tx) =>
    tx.listDoorDocuments(
      { kind: 'key', states: ['live', 'erased'] },
      { sort: [{ by: 'name' }], limit: MAX_ENTRIES + 1 },
    ),
  )
  const lines = found
    .slice(0, MAX_ENTRIES)
    .filter((document) => isThere(document, deps.now()))
    .map((document) => keyUri(keyOf(document)))
  const body = lines.join('\n')
  return found.length > MAX_ENTRIES ? `${body}\n\n${NOTE}` : body
}
