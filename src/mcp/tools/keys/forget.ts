import { object } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { lineAnswer, TEXT_OUTPUT } from './answer.ts'
import { KEY, keySize } from './arguments.ts'

export const forget = defineTool({
  name: 'forget',
  title: 'Forget',
  description:
    'Delete a note by its key. Its value stays in the history of the memory; redact_memory erases it.',
  hint: 'delete a note, remove',
  toolset: 'keys',
  effect: 'removes',
  input: object({ key: KEY }),
  output: TEXT_OUTPUT,
  logged: ({ key }) => keySize(key),

  async call({ memory }, { key }) {
    const forgotten = await memory.keys.forget(key)
    return lineAnswer(memory.keys, `Deleted memory '${forgotten}'.`)
  },
})
