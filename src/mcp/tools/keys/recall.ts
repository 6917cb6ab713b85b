import type { ContentBlock } from '@modelcontextprotocol/server'
import { isoTime } from '../../../core/keys/key-document.ts'
import type { KeyContent } from '../../../core/keys/recall.ts'
import { printable } from '../../../util/terminal-text.ts'
import { uriOfKey } from '../../resources/memory/names.ts'
import { object } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { lineAnswer, TEXT_OUTPUT, textAnswer } from './answer.ts'
import { KEY, keySize } from './arguments.ts'

export const recall = defineTool({
  name: 'recall',
  title: 'Recall',
  description: 'Recall what is known under a key, with its version.',
  hint: 'recall, read a value',
  isMain: true,
  toolset: 'keys',
  effect: 'warms',
  input: object({ key: KEY }),
  output: TEXT_OUTPUT,
  logged: ({ key }) => keySize(key),

  async call({ hands }, { key }) {
    const content = await hands.keys.recall(key)
    if (content.kind === 'redacted') {
      const at = isoTime(content.redactedAt)
      return lineAnswer(hands.keys, `Memory '${content.key}' was redacted on ${at}. Value removed.`)
    }
    const memory = { key: content.key, version: content.version }
    if (content.kind === 'text') return textAnswer(hands.keys, content.text, { memory })
    const said = `[binary content: ${printable(content.contentType)}]`
    return textAnswer(hands.keys, said, { memory, content: [blockOf(content)] })
  },
})

/** A client shows an image; what is none comes as a resource, so that nobody takes it for one. */
function blockOf({ key, type, contentType, base64 }: Extract<KeyContent, { kind: 'bytes' }>): ContentBlock {
  return type === 'image'
    ? { type: 'image', data: base64, mimeType: contentType }
    : { type: 'resource', resource: { uri: uriOfKey(key), mimeType: contentType, blob: base64 } }
}
