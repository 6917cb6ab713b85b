import { given } from '../../../util/given.ts'
import { object, optional, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { lineAnswer, TEXT_OUTPUT } from './answer.ts'
import { KEY, keySize } from './arguments.ts'

const LATER = ' Another process is reading: the server overwrites the last traces on disk as soon as it can.'

export const redactMemory = defineTool({
  name: 'redact_memory',
  title: 'Redact memory',
  description:
    'Erase every value a key ever held, permanently. The key stays as redacted until it is forgotten.',
  hint: 'purge a secret',
  toolset: 'keys',
  effect: 'removes',
  input: object({
    key: KEY,
    reason: optional(text('Why; recorded, so without the secret', { mayBeEmpty: true })),
  }),
  output: TEXT_OUTPUT,
  logged: ({ key }) => keySize(key),

  async call({ memory }, { key, reason }) {
    const { status, scrubbed } = await memory.keys.redact({ key, ...given({ reason }) })
    if (status === 'already') return lineAnswer(memory.keys, `Memory '${key}' is already redacted.`)
    return lineAnswer(memory.keys, `Redacted memory '${key}'.${scrubbed ? '' : LATER}`)
  },
})
