import { unpinJson } from '../../../core/render/write-json.ts'
import { unpinnedLine } from '../../../core/render/write-text.ts'
import { object } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { FLAG, shape, TEXT } from '../output.ts'
import { loggedId, NODE_ID } from './arguments.ts'

export const memoryUnpin = defineTool({
  name: 'MemoryUnpin',
  description: 'Let a pinned note cool again.',
  hint: 'release',
  toolset: 'tree',
  effect: 'sets',
  input: object({ id: NODE_ID }),
  output: shape({ node_id: TEXT, pinned: FLAG }),
  missing: { node: (id) => `id not found: ${id}` },
  logged: ({ id }) => ({ node_id: loggedId(id) }),

  async call({ memory }, { id }) {
    await memory.unpin(id)
    return { text: unpinnedLine(id), structured: unpinJson(id) }
  },
})
