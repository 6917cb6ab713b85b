import { readEvent } from '../../../core/audit/reads.ts'
import type { KeyIndex } from '../../../core/keys/list-names.ts'
import { MEMORY_INDEX, uriOfKey } from '../../model/names.ts'
import type { MemoryResource } from '../../model/resource.ts'

const NOTE =
  '_(Index capped at 500 entries; more results may exist. Use the `list_memories` tool with tags for targeted retrieval.)_'

/** The list of keyed memories, with the URI of each. */
export const keyIndex: MemoryResource = {
  uri: MEMORY_INDEX,
  name: 'Memory index',
  title: 'Memory index',
  scope: 'memories:read',
  description: 'The URIs of keyed memories, one per line, by key',
  mimeType: 'text/plain',
  audited: () => [readEvent('memory_listed')],
  read: async (observer) => indexText(await observer.keyIndex()),
  stamp: async (observer) => indexText(await observer.keyIndex()),
}

function indexText({ keys, isCut }: KeyIndex): string {
  const body = keys.map(uriOfKey).join('\n')
  return isCut ? `${body}\n\n${NOTE}` : body
}
