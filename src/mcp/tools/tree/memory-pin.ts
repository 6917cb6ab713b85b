import { pinJson } from '../../../core/render/write-json.ts'
import { pinnedLine } from '../../../core/render/write-text.ts'
import { number, object, optional } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { FLAG, NUMBER_OR_NULL, shape, TEXT } from '../output.ts'
import { loggedId, NODE_ID } from './arguments.ts'

export const memoryPin = defineTool({
  name: 'MemoryPin',
  description: 'Keep a note from going cold, at its heat or a given one.',
  hint: 'important',
  toolset: 'tree',
  effect: 'sets',
  input: object({
    id: NODE_ID,
    temperature: optional(number('From 0 to 1. Default: the current one', { min: 0, max: 1 })),
  }),
  output: shape({ node_id: TEXT, pinned: FLAG, temperature: NUMBER_OR_NULL }),
  missing: { node: (id) => `id not found: ${id}` },
  logged: ({ id, temperature }) => ({ node_id: loggedId(id), temperature }),

  async call({ memory }, { id, ...heat }) {
    await memory.pin({ id, ...heat })
    return { text: pinnedLine(id, heat.temperature), structured: pinJson(id, heat.temperature) }
  },
})
