import { rollbackJson } from '../../../core/render/write-json.ts'
import { rolledBackLine } from '../../../core/render/write-text.ts'
import { isPermitted } from '../../model/access.ts'
import { flag, integer, object, optional } from '../../model/schema.ts'
import type { Schema, Tool } from '../../model/tool.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, INTEGER_OR_NULL, shape } from '../output.ts'

const SNAPSHOT_ID = integer('Where to go back to', {
  min: 1,
  saying: (shown) => `invalid snapshot_id ${shown}: expected positive integer`,
})
const WHOLE = object({
  snapshot_id: SNAPSHOT_ID,
  drop_after: optional(flag('Cannot be undone. Default false')),
})

/** Erased history cannot be restored: for admins only. */
const DROP = { access: 'removes', scope: 'memories:admin' } as const

interface Given {
  snapshot_id: number
  drop_after?: boolean | undefined
}

const rollbackTool = (input: Schema<Given>, within?: Tool['within']) =>
  defineTool({
    name: 'MemoryRollback',
    description: `Undo changes: bring the memory back to a snapshot, as a new one. Heat, pins and links by hand stay.${within ? ' drop_after permanently deletes those in between.' : ''}`,
    hint: 'undo a change, revert',
    toolset: 'tree',
    effect: 'stores',
    effectOf: ({ drop_after }) => (drop_after ? 'clears' : 'stores'),
    scopeOf: ({ drop_after }) => (drop_after ? DROP.scope : 'memories:write'),
    ...(within && { within, most: 'clears' }),
    input,
    output: shape({
      status: { enum: ['at-target', 'unchanged', 'rolled-back'] },
      target: INTEGER,
      affected: INTEGER,
      pruned: INTEGER,
      snapshot_id: INTEGER_OR_NULL,
    }),
    missing: { snapshot: (id) => `failed to restore: snapshot ${id} not found` },
    logged: ({ snapshot_id, drop_after }) => ({ snapshot_id, drop_after }),

    async call({ memory }, { snapshot_id: snapshotId, drop_after: dropAfter = false }) {
      const result = await memory.rollback({ snapshotId, dropAfter })
      return { text: rolledBackLine(result, dropAfter), structured: rollbackJson(result) }
    },
  })

/** Where history may not be removed, it has no `drop_after`. */
export const memoryRollback: Tool = rollbackTool(WHOLE, (allowance) =>
  isPermitted(DROP, allowance) ? memoryRollback : rollbackTool(object({ snapshot_id: SNAPSHOT_ID })),
)
