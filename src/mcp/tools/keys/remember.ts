import { utf8Length } from '../../../core/tokens.ts'
import { given } from '../../../util/given.ts'
import { object, optional, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { lineAnswer, TEXT_OUTPUT } from './answer.ts'
import { KEY, keySize, TAGS, TTL, VALUE } from './arguments.ts'

/** Longer than any version. */
const MAX_VERSION = 64
const SAID = { stored: 'Stored memory', updated: 'Updated memory' } as const

export const remember = defineTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Remember: save a text worth knowing later under a key. It replaces what is there with its tags and time to live; with the `version` that recall gave, only if nobody changed it since.',
  hint: 'remember a fact for later, save a note',
  isMain: true,
  toolset: 'keys',
  effect: 'sets',
  input: object({
    key: KEY,
    value: VALUE,
    tags: TAGS,
    ttl_seconds: TTL,
    version: optional(text('The version to replace. Default: any', { max: MAX_VERSION })),
  }),
  output: TEXT_OUTPUT,
  logged: ({ key, value, tags }) => ({ ...keySize(key), value_bytes: utf8Length(value), tags: tags?.length }),

  async call({ memory }, { key, value, tags, ttl_seconds: ttlSeconds, version }) {
    const status = await memory.keys.remember({ key, value, ...given({ tags, ttlSeconds, version }) })
    const text = status === 'unchanged' ? `Memory '${key}' unchanged.` : `${SAID[status]} '${key}'.`
    return lineAnswer(memory.keys, text)
  },
})
