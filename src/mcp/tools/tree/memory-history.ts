import { historyTitle } from '../../../core/version-place-text.ts'
import { historyJson } from '../../../core/versions-json.ts'
import { historyLines } from '../../../core/versions-text.ts'
import { printable } from '../../../util/terminal-text.ts'
import { object } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { rows, shape, TEXT, TEXT_OR_NULL } from '../output.ts'
import { AFTER, depthArgument, depthOf, loggedId, NODE_ID } from './arguments.ts'

const DEPTHS = { usual: 10, most: 128 }

export const memoryHistory = defineTool({
  name: 'MemoryHistory',
  description: 'See the past versions of a note, newest first, also of a deleted one.',
  hint: 'old text',
  toolset: 'tree',
  effect: 'looks',
  input: object({ id: NODE_ID, depth: depthArgument('Versions', DEPTHS), after: AFTER }),
  output: shape({ node_id: TEXT, versions: rows('snapshot_id', 'op', 'old', 'new'), next: TEXT_OR_NULL }),
  logged: ({ id, depth }) => ({ anchor: loggedId(id), depth }),

  async call({ hands }, { id, depth, ...page }) {
    const { items, next } = await hands.history({ id, limit: depthOf(depth, DEPTHS), ...page })
    const [newest] = items
    const lines = [...(newest ? [historyTitle(newest)] : []), ...items.flatMap((row) => historyLines(row))]
    return {
      text: [
        ...(lines.length === 0 ? [`no history for ${printable(id)}`] : lines),
        ...(next === null ? [] : [`… older: after=${next}`]),
      ].join('\n'),
      structured: { node_id: id, versions: items.map(historyJson), next },
    }
  },
})
