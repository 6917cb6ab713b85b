import { DEFAULT_ROOM } from '../../../core/find/budget.ts'
import type { KeyDoor } from '../../../core/keys/door.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { elideMiddle } from '../../../util/text/elide.ts'
import { printable, printableJson } from '../../../util/text/printable.ts'
import { uriOfKey } from '../../model/names.ts'
import type { ToolAnswer } from '../../model/tool.ts'
import { TEXT } from '../output.ts'

interface Beside {
  /** The one memory that was read. */
  memory?: { key: string; version: string }
  summaryMode?: 'listed' | 'synthesised'
}

/**
 * Bytes of JSON. An answer has everything twice, as text and as data; a larger one only as data, if the client reads data.
 * The official clients read at most 10 MiB of a message over a pipe, and a larger one ends their connection.
 */
const MAX_SAID_TWICE = 4 * 1024 * 1024

/** Characters of a list in an answer without a requested limit: it is sent twice, with its envelope. */
export const LIST_LENGTH = Math.floor(DEFAULT_ROOM / 2) - 300

/** Of tools that answer with a text. */
export const TEXT_OUTPUT = {
  type: 'object',
  properties: { result: TEXT, version: TEXT },
  required: ['result'],
}

/** A text, as clients of this door know it. */
export async function textAnswer(
  keys: KeyDoor,
  text: string,
  beside: Beside & Pick<ToolAnswer, 'content'> = {},
): Promise<ToolAnswer> {
  const { content, ...others } = beside
  const place = others.memory ? `, and at ${uriOfKey(others.memory.key)}` : ''
  return {
    text,
    ...(isTooLarge(text) && { briefly: `${tooLarge('value', text)}.result${place}.` }),
    structured: { result: text, ...(others.memory && { version: others.memory.version }) },
    ...(content && { content }),
    meta: await metaOf(keys, others),
  }
}

/** A sentence about a key or tag: always one line, with the middle of a long name left out. */
export function lineAnswer(keys: KeyDoor, line: string): Promise<ToolAnswer> {
  return textAnswer(keys, elideMiddle(printable(line), LIST_LENGTH))
}

/** An object: its JSON is the text. */
export async function objectAnswer<T extends object>(keys: KeyDoor, value: T): Promise<ToolAnswer> {
  const text = printableJson(JSON.stringify(value))
  return {
    text,
    ...(isTooLarge(text) && { briefly: `${tooLarge('answer', text)}.` }),
    structured: value as Record<string, unknown>,
    meta: await metaOf(keys, {}),
  }
}

function isTooLarge(text: string): boolean {
  // No character takes more than six bytes.
  return text.length * 6 > MAX_SAID_TWICE && utf8Length(JSON.stringify(text)) > MAX_SAID_TWICE
}

function tooLarge(what: string, text: string): string {
  return `The ${what} has ${utf8Length(text)} bytes, too many to be sent here as well: it is in structuredContent`
}

/** Null: not limited. */
async function metaOf(keys: KeyDoor, { memory, summaryMode }: Beside): Promise<Record<string, unknown>> {
  return {
    hive: {
      memory_quota: await keys.quota(),
      rate_limit: { per_minute_limit: null, per_day_limit: null },
      ...(memory && { memory }),
      ...(summaryMode && { summary_mode: summaryMode }),
    },
  }
}
