import { moreLine } from '../../../core/find/tree-text.ts'
import { diffJson } from '../../../core/versions-json.ts'
import { integer, object } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, rows, shape, TEXT_OR_NULL } from '../output.ts'
import { AFTER, LIMIT } from './arguments.ts'

export const memoryDiff = defineTool({
  name: 'MemoryDiff',
  description: 'Compare two snapshots of the memory: what differs, node by node, as unified diffs.',
  hint: 'differences',
  toolset: 'tree',
  effect: 'looks',
  input: object({
    from_snapshot_id: integer('Exclusive; 0: from the first', { min: 0 }),
    to_snapshot_id: integer('Inclusive', { min: 0 }),
    limit: LIMIT,
    after: AFTER,
  }),
  output: shape({
    from: INTEGER,
    to: INTEGER,
    changes: rows('op', 'node_id', 'old', 'new'),
    next: TEXT_OR_NULL,
  }),
  logged: ({ from_snapshot_id, to_snapshot_id, limit }) => ({ from_snapshot_id, to_snapshot_id, limit }),

  async call({ hands }, { from_snapshot_id: from, to_snapshot_id: to, ...page }) {
    // Comparing texts takes a library that nobody else needs.
    const { diffLines } = await import('../../../core/diff-text.ts')
    const { items, next } = await hands.diff({ from, to, ...page })
    const blocks = items.map((row) => [...diffLines(row)].join('\n'))
    return {
      text: [
        ...(blocks.length === 0 ? ['no changes'] : blocks),
        ...(next === null ? [] : [moreLine(next)]),
      ].join('\n\n'),
      structured: { from, to, changes: items.map(diffJson), next },
    }
  },
})
