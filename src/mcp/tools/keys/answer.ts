import type { KeyDoor } from '../../../core/keys/key-door.ts'
import { TEXT } from '../output.ts'
import type { ToolAnswer } from '../tool.ts'

interface Beside {
  /** The one memory that was read. */
  memory?: { key: string; version: string }
  summaryMode?: 'listed' | 'synthesised'
}

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
  return {
    text,
    structured: { result: text, ...(others.memory && { version: others.memory.version }) },
    ...(content && { content }),
    meta: await metaOf(keys, others),
  }
}

/** An object: its JSON is the text. */
export async function objectAnswer<T extends object>(keys: KeyDoor, value: T): Promise<ToolAnswer> {
  return {
    text: JSON.stringify(value),
    structured: value as Record<string, unknown>,
    meta: await metaOf(keys, {}),
  }
}

/** Nobody has an account yet, so nothing is limited: that is what null says. */
async function metaOf(keys: KeyDoor, { memory, summaryMode }: Beside): Promise<Record<string, unknown>> {
  return {
    hive: {
      memory_quota: { used: await keys.used(), limit: null, remaining: null },
      rate_limit: { per_minute_limit: null, per_day_limit: null },
      ...(memory && { memory }),
      ...(summaryMode && { summary_mode: summaryMode }),
    },
  }
}
