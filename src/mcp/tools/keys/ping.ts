import { object } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { TEXT_OUTPUT, textAnswer } from './answer.ts'

export const ping = defineTool({
  name: 'ping',
  title: 'Ping',
  description: 'Check that the memory answers.',
  hint: 'status, health',
  toolset: 'keys',
  effect: 'looks',
  input: object({}),
  output: TEXT_OUTPUT,
  logged: () => ({}),
  call: ({ memory }) => textAnswer(memory.keys, 'ok'),
})
