import { utf8Length } from '../../../core/tokens.ts'
import { given } from '../../../util/given.ts'
import { object } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { lineAnswer, TEXT_OUTPUT } from './answer.ts'
import { KEY, keySize, TAGS, TTL, VALUE } from './arguments.ts'

export const rememberIfAbsent = defineTool({
  name: 'remember_if_absent',
  title: 'Remember if absent',
  description: 'Save a text under a key that holds nothing yet.',
  hint: 'remember only once',
  toolset: 'keys',
  effect: 'sets',
  input: object({ key: KEY, value: VALUE, tags: TAGS, ttl_seconds: TTL }),
  output: TEXT_OUTPUT,
  logged: ({ key, value, tags }) => ({ ...keySize(key), value_bytes: utf8Length(value), tags: tags?.length }),

  async call({ memory }, { key, value, tags, ttl_seconds: ttlSeconds }) {
    const status = await memory.keys.rememberIfAbsent({ key, value, ...given({ tags, ttlSeconds }) })
    const text =
      status === 'kept' ? `Memory '${key}' already exists — not overwritten.` : `Stored memory '${key}'.`
    return lineAnswer(memory.keys, text)
  },
})
