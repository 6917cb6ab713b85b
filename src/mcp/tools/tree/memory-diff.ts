import { readEvent } from '../../../core/audit/reads.ts'
import { GAP } from '../../../core/find/node-block.ts'
import { moreLine } from '../../../core/find/read/tree-text.ts'
import { diffCursor } from '../../../core/history/history.ts'
import { diffJson } from '../../../core/render/versions-json.ts'
import { given } from '../../../util/given.ts'
import { integer, object } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, rows as rowsOf, shape, TEXT_OR_NULL } from '../output.ts'
import { AFTER, LIMIT } from './arguments.ts'
import { pageOfVersions, restLines, versionCursor } from './version-page.ts'

export const memoryDiff = defineTool({
  name: 'MemoryDiff',
  description: 'Compare two snapshots: what differs, node by node, as unified diffs.',
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
    changes: rowsOf('op', 'node_id', 'old', 'new'),
    next: TEXT_OR_NULL,
  }),
  audited: ({ to_snapshot_id }) => [readEvent('history_read', { snapshot: String(to_snapshot_id) })],
  logged: ({ from_snapshot_id, to_snapshot_id, limit }) => ({ from_snapshot_id, to_snapshot_id, limit }),

  async call({ memory }, { from_snapshot_id: from, to_snapshot_id: to, limit, after }) {
    // Only comparing texts needs this library.
    const { diffLines } = await import('../../../core/render/diff-text.ts')
    const cursor = versionCursor(after)
    const found = await memory.diff({ from, to, ...given({ limit, after: cursor.after }) })
    const page = pageOfVersions({
      ...{ found, cursor, isCounted: limit !== undefined },
      gap: GAP,
      blockOf: (row) => [...diffLines(row)].join('\n'),
      cursorOf: diffCursor,
      // No node has this key.
      start: () => '0',
    })
    const { rows, blocks, next } = page
    const shown = blocks.length === 0 ? 'no changes' : blocks.join(GAP)
    return {
      text: [
        [...restLines(page, cursor, ({ nodeId }) => nodeId), shown].join('\n'),
        ...(next === null ? [] : [moreLine(next)]),
      ].join(GAP),
      structured: { from, to, changes: rows.map(diffJson), next },
    }
  },
})
