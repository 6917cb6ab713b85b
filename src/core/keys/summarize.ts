import { elideMiddle } from '../../util/text/elide.ts'
import { printable } from '../../util/text/printable.ts'
import type { DoorDocument } from '../port/doors.ts'
import { pageAndTotal } from '../write/documents.ts'
import { keyLine, keyLineWithout } from './item.ts'
import { type KeyReadDeps, LARGE_TEXT_BYTES } from './model.ts'

const MAX_KEYS = 500
/** Maximum length of the topic, which is named twice. */
const MAX_TOPIC = 500

export interface SummarizePage {
  /** Keys to skip, for paging. Default: 0. */
  offset?: number
  /** Maximum length of the lines of keys, in characters. Default: unlimited, for at most 500 keys. */
  maxLength?: number
}

/** The keys with a tag as a text, newest change first, without redacted ones. */
export async function summarizeKeys(
  deps: KeyReadDeps,
  topic: string,
  { offset = 0, maxLength = Number.POSITIVE_INFINITY }: SummarizePage = {},
): Promise<string> {
  const tag = deps.redact(topic.toWellFormed())
  const { documents, total } = await deps.store.read((tx) =>
    pageAndTotal(tx, { kind: 'key', tags: [tag], notExpiredAt: deps.now() }, 'whole', {
      sort: [{ by: 'updated', descending: true }],
      ...{ limit: MAX_KEYS, offset, maxTextBytes: LARGE_TEXT_BYTES },
    }),
  )
  const shown = elideMiddle(printable(tag), MAX_TOPIC)
  if (documents.length === 0) return `No memories found for topic '${shown}'.`
  const lines = linesWithin(documents, maxLength)
  const end = offset + lines.length
  return [
    `## Memories tagged '${shown}'`,
    '',
    ...lines,
    '',
    '---',
    `*${total} ${total === 1 ? 'memory' : 'memories'} found for topic '${shown}'.*`,
    ...(end < total ? [`… ${total - end} more: offset=${end}`] : []),
  ].join('\n')
}

/** As many lines as fit; at least one, without its value if that is too long. */
function linesWithin(documents: readonly DoorDocument[], maxLength: number): string[] {
  const lines: string[] = []
  let left = maxLength
  for (const document of documents) {
    const whole = keyLine(document)
    const line = lines.length === 0 && whole.length >= left ? keyLineWithout(document) : whole
    left -= line.length + 1
    if (left < 0 && lines.length > 0) break
    lines.push(line)
  }
  return lines
}
