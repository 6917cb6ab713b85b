import { object, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { lineAnswer, TEXT_OUTPUT } from './answer.ts'

export const forgetAll = defineTool({
  name: 'forget_all',
  title: 'Forget all (by tag)',
  description: 'Delete every key with a tag.',
  hint: 'delete many, clear',
  toolset: 'keys',
  effect: 'clears',
  input: object({ tag: text('The tag that they have') }),
  output: TEXT_OUTPUT,
  logged: () => ({}),

  async call({ memory }, { tag }) {
    const count = await memory.keys.forgetAll(tag)
    return lineAnswer(memory.keys, `Deleted ${count} memories with tag '${tag}'.`)
  },
})
