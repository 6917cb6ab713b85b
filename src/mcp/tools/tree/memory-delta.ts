import { readEvent } from '../../../core/audit/reads.ts'
import { moreLine } from '../../../core/find/read/tree-text.ts'
import { deltaCursor } from '../../../core/history/history.ts'
import { deltaJson } from '../../../core/render/versions-json.ts'
import { deltaLine } from '../../../core/render/versions-text.ts'
import { integer, object, optional } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, rows as rowsOf, shape, TEXT_OR_NULL } from '../output.ts'
import { AFTER, LIMIT } from './arguments.ts'
import { pageOfVersions } from './version-page.ts'

export const memoryDelta = defineTool({
  name: 'MemoryDelta',
  description: 'List what changed in the memory after a snapshot, oldest first.',
  hint: 'news',
  toolset: 'tree',
  effect: 'looks',
  input: object({
    since_snapshot: optional(integer('Exclusive. Default 0: everything')),
    limit: LIMIT,
    after: AFTER,
  }),
  output: shape({
    since: INTEGER,
    changes: rowsOf('snapshot_id', 'op', 'node_id', 'label'),
    next: TEXT_OR_NULL,
  }),
  audited: ({ since_snapshot }) => [readEvent('history_read', { snapshot: String(since_snapshot) })],
  logged: ({ since_snapshot, limit }) => ({ since_snapshot, limit }),

  async call({ memory }, { since_snapshot: since = 0, ...page }) {
    const found = await memory.delta({ since, ...page })
    const { rows, blocks, next } = pageOfVersions({
      found,
      // A line is short: no page ends in one.
      cursor: { from: 0 },
      isCounted: page.limit !== undefined,
      gap: '\n',
      blockOf: (row) => deltaLine(row),
      cursorOf: deltaCursor,
      start: deltaCursor,
    })
    return {
      text: [
        ...(blocks.length === 0 ? ['no changes'] : blocks),
        ...(next === null ? [] : [moreLine(next)]),
      ].join('\n'),
      structured: { since, changes: rows.map(deltaJson), next },
    }
  },
})
