import { printable } from '../../util/terminal-text.ts'
import { keyLine } from './key-item.ts'
import { type KeyReadDeps, LARGE_TEXT_BYTES } from './key-model.ts'

const MAX_KEYS = 500

/** The keys with a tag as a text, newest change first; redacted ones have nothing to say. */
export async function summarizeKeys(deps: KeyReadDeps, topic: string): Promise<string> {
  const tag = deps.redact(topic.toWellFormed())
  const found = await deps.store.read((tx) =>
    tx.listDoorDocuments(
      { kind: 'key', tags: [tag], notExpiredAt: deps.now() },
      { sort: [{ by: 'updated', descending: true }], limit: MAX_KEYS, maxTextBytes: LARGE_TEXT_BYTES },
    ),
  )
  const shown = printable(tag)
  if (found.length === 0) return `No memories found for topic '${shown}'.`
  return [
    `## Memories tagged '${shown}'`,
    '',
    ...found.map(keyLine),
    '',
    '---',
    `*${found.length} ${found.length === 1 ? 'memory' : 'memories'} found for topic '${shown}'.*`,
  ].join('\n')
}
