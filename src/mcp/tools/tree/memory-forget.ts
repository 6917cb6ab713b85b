import { forgetJson } from '../../../core/render/write-json.ts'
import { forgotLine } from '../../../core/render/write-text.ts'
import { FORGET_MODES } from '../../../core/tree/model.ts'
import { choice, object, optional } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, INTEGER_OR_NULL, shape, TEXT } from '../output.ts'
import { loggedId, NODE_ID } from './arguments.ts'

function unknownMode(shown: string): string {
  return `unknown delete mode ${shown} (want strict, cascade, or reparent)`
}

export const memoryForget = defineTool({
  name: 'MemoryForget',
  description:
    'Delete a note. strict: only without children; cascade: with all below; reparent: they move up. MemoryRollback undoes it.',
  hint: 'delete a note, remove',
  toolset: 'tree',
  effect: 'removes',
  input: object({
    id: NODE_ID,
    mode: optional(choice(FORGET_MODES, 'Default strict', { saying: unknownMode })),
  }),
  output: shape({ node_id: TEXT, mode: TEXT, affected: INTEGER, snapshot_id: INTEGER_OR_NULL }),
  missing: { node: (id) => `id not found: ${id}` },
  logged: ({ id, mode }) => ({ node_id: loggedId(id), mode }),

  async call({ memory }, { id, mode = 'strict' }) {
    const result = await memory.forget({ id, mode })
    return { text: forgotLine(id, mode, result), structured: forgetJson(id, mode, result) }
  },
})
