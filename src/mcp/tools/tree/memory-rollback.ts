import { rollbackJson } from '../../../core/write-json.ts'
import { rolledBackLine } from '../../../core/write-text.ts'
import { flag, integer, object, optional } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, INTEGER_OR_NULL, shape } from '../output.ts'

export const memoryRollback = defineTool({
  name: 'MemoryRollback',
  title: 'Go back',
  description:
    'Make the memory say again what it said at a snapshot, as a new snapshot. Heat, pins and links by hand stay as they are. drop_after also deletes the snapshots in between for good.',
  toolset: 'tree',
  effect: 'rewinds',
  input: object({
    snapshot_id: integer('Where to go back to', {
      min: 1,
      saying: (shown) => `invalid snapshot_id ${shown}: expected positive integer`,
    }),
    drop_after: optional(flag('Default false; cannot be undone')),
  }),
  output: shape({
    status: { enum: ['at-target', 'unchanged', 'rolled-back'] },
    target: INTEGER,
    affected: INTEGER,
    pruned: INTEGER,
    snapshot_id: INTEGER_OR_NULL,
  }),
  missing: (id) => `failed to restore: snapshot ${id} not found`,
  logged: ({ snapshot_id, drop_after }) => ({ snapshot_id, drop_after }),

  async call({ hands }, { snapshot_id: snapshotId, drop_after: dropAfter = false }) {
    const result = await hands.rollback({ snapshotId, dropAfter })
    return { text: rolledBackLine(result, dropAfter), structured: rollbackJson(result) }
  },
})
