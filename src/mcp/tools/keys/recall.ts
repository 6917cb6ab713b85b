import type { ContentBlock } from '@modelcontextprotocol/server'
import { readEvent } from '../../../core/audit/reads.ts'
import { isoTime } from '../../../core/keys/document.ts'
import type { KeyDoor } from '../../../core/keys/door.ts'
import type { KeyContent } from '../../../core/keys/recall.ts'
import { asOfJson, withAsOf } from '../../../core/past/as-of-text.ts'
import type { MaybePast } from '../../../core/port/history.ts'
import { characterAt, characterEnd } from '../../../util/text/characters.ts'
import { printable } from '../../../util/text/printable.ts'
import { plural } from '../../../util/text/units.ts'
import { uriOfKey } from '../../model/names.ts'
import { integer, object, optional } from '../../model/schema.ts'
import type { ToolAnswer } from '../../model/tool.ts'
import { defineTool } from '../define-tool.ts'
import { AS_OF } from '../moment.ts'
import { FLAG, INTEGER, TEXT } from '../output.ts'
import { LIST_LENGTH, lineAnswer, textAnswer } from './answer.ts'
import { KEY, keySize } from './arguments.ts'

export const recall = defineTool({
  name: 'recall',
  title: 'Recall',
  description:
    'Recall what is known under a key, with its version. A long text comes in parts: go on with the `offset` at its end before you replace it.',
  hint: 'recall, read a value',
  isMain: true,
  toolset: 'keys',
  effect: 'warms',
  input: object({
    key: KEY,
    offset: optional(integer('Begin at this character. Default 0', { min: 0 })),
    as_of: AS_OF,
    limit: optional(integer(`Characters at most. Default ${LIST_LENGTH}`, { min: 1 })),
  }),
  output: {
    type: 'object',
    properties: {
      ...{ result: TEXT, version: TEXT },
      ...{ truncated: FLAG, characters: INTEGER, next_offset: INTEGER },
    },
    required: ['result'],
  },
  audited: ({ key }) => [readEvent('memory_recalled', { key })],
  logged: ({ key, offset, limit }) => ({ ...keySize(key), offset, limit }),

  async call({ memory }, { key, as_of: asOf, ...part }) {
    const content = await memory.keys.recall(key, { asOf })
    const answer = await contentAnswer(memory.keys, content, part)
    return {
      ...answer,
      ...(content.readAt && { text: withAsOf(answer.text, content) }),
      structured: { ...answer.structured, ...asOfJson(content) },
    }
  },
})

async function contentAnswer(
  keys: KeyDoor,
  content: KeyContent & MaybePast,
  part: Omit<Part, 'memory'>,
): Promise<ToolAnswer> {
  if (content.kind === 'redacted') {
    const at = isoTime(content.redactedAt)
    return lineAnswer(keys, `Memory '${content.key}' was redacted on ${at}. Value removed.`)
  }
  // The version of the past is of no use for a write.
  const stored = content.readAt ? undefined : { key: content.key, version: content.version }
  if (content.kind === 'text') return valueAnswer(keys, content.text, { memory: stored, ...part })
  const said = `[binary content: ${printable(content.contentType)}]`
  return textAnswer(keys, said, { ...(stored && { memory: stored }), content: [blockOf(content)] })
}

interface Part {
  memory: { key: string; version: string } | undefined
  offset?: number | undefined
  limit?: number | undefined
}

/**
 * The exact value, or a part of a longer one. A part comes without its version: storing it back with that would silently lose
 * the rest.
 */
async function valueAnswer(keys: KeyDoor, value: string, part: Part): Promise<ToolAnswer> {
  const { memory, offset = 0, limit = LIST_LENGTH } = part
  const start = characterAt(value, offset)
  const end = Math.max(characterAt(value, start + limit), characterEnd(value, start))
  const shown = value.slice(start, end)
  if (shown === value) return textAnswer(keys, value, memory && { memory })
  const answer = await textAnswer(keys, shown)
  const more = value.length - end
  return {
    ...answer,
    text: more > 0 ? `${shown}\n… ${plural(more, 'more character')}: offset=${end}` : shown,
    structured: {
      ...answer.structured,
      ...{ truncated: true, characters: value.length },
      ...(more > 0 && { next_offset: end }),
    },
  }
}

/** An image is shown by the client; other bytes come as a resource, so that they are not mistaken for one. */
function blockOf({ key, type, contentType, base64 }: Extract<KeyContent, { kind: 'bytes' }>): ContentBlock {
  return type === 'image'
    ? { type: 'image', data: base64, mimeType: contentType }
    : { type: 'resource', resource: { uri: uriOfKey(key), mimeType: contentType, blob: base64 } }
}
