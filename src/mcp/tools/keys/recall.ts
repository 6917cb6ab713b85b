import type { ContentBlock } from '@modelcontextprotocol/server'
import { isoTime } from '../../../core/keys/key-document.ts'
import type { KeyContent } from '../../../core/keys/recall.ts'
import { printable } from '../../../util/terminal-text.ts'
import { plural } from '../../../util/terminal-units.ts'
import { uriOfKey } from '../../resources/memory/names.ts'
import { integer, object, optional } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { LIST_LENGTH, lineAnswer, TEXT_OUTPUT, textAnswer } from './answer.ts'
import { KEY, keySize } from './arguments.ts'

export const recall = defineTool({
  name: 'recall',
  title: 'Recall',
  description:
    'Recall what is known under a key, with its version. A long text comes in parts: its last line has the `offset` that goes on.',
  hint: 'recall, read a value',
  isMain: true,
  toolset: 'keys',
  effect: 'warms',
  input: object({
    key: KEY,
    offset: optional(integer('Begin at this character. Default 0', { min: 0 })),
    limit: optional(integer(`Characters at most. Default ${LIST_LENGTH}`, { min: 1 })),
  }),
  output: TEXT_OUTPUT,
  logged: ({ key, offset, limit }) => ({ ...keySize(key), offset, limit }),

  async call({ hands }, { key, ...part }) {
    const content = await hands.keys.recall(key)
    if (content.kind === 'redacted') {
      const at = isoTime(content.redactedAt)
      return lineAnswer(hands.keys, `Memory '${content.key}' was redacted on ${at}. Value removed.`)
    }
    const memory = { key: content.key, version: content.version }
    if (content.kind === 'text') return textAnswer(hands.keys, partOf(content.text, part), { memory })
    const said = `[binary content: ${printable(content.contentType)}]`
    return textAnswer(hands.keys, said, { memory, content: [blockOf(content)] })
  },
})

interface Part {
  offset?: number | undefined
  limit?: number | undefined
}

/** The exact value, or a part of a longer one: then its last line says how to go on. */
function partOf(text: string, { offset: start = 0, limit = LIST_LENGTH }: Part): string {
  const end = start + limit
  // Never between the halves of a character.
  const isHalved = /[\ud800-\udbff]/.test(text[end - 1] ?? '') && end < text.length
  const last = isHalved ? end + 1 : end
  const more = text.length - last
  const part = text.slice(start, last)
  return more > 0 ? `${part}\n… ${plural(more, 'more character')}: offset=${last}` : part
}

/** A client shows an image; what is none comes as a resource, so that nobody takes it for one. */
function blockOf({ key, type, contentType, base64 }: Extract<KeyContent, { kind: 'bytes' }>): ContentBlock {
  return type === 'image'
    ? { type: 'image', data: base64, mimeType: contentType }
    : { type: 'resource', resource: { uri: uriOfKey(key), mimeType: contentType, blob: base64 } }
}
