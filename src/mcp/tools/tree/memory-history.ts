import { readEvent } from '../../../core/audit/reads.ts'
import { historyCursor } from '../../../core/history/history.ts'
import type { VersionRow } from '../../../core/port/store.ts'
import { historyJson } from '../../../core/render/versions-json.ts'
import { historyLines, historyTitle, isExcerpted } from '../../../core/render/versions-text.ts'
import { given } from '../../../util/given.ts'
import { printable } from '../../../util/text/printable.ts'
import { flag, object, optional } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { rows as rowsOf, shape, TEXT, TEXT_OR_NULL } from '../output.ts'
import { AFTER, depthArgument, depthOf, loggedId, NODE_ID } from './arguments.ts'
import { pageOfVersions, restLines, versionCursor } from './version-page.ts'

const DEPTHS = { usual: 10, most: 128 }

export const memoryHistory = defineTool({
  name: 'MemoryHistory',
  description: 'See the past versions of a note, newest first, also of a deleted one.',
  hint: 'old text',
  toolset: 'tree',
  effect: 'looks',
  input: object({
    id: NODE_ID,
    depth: depthArgument('Versions', DEPTHS),
    full: optional(flag('Whole texts')),
    after: AFTER,
  }),
  output: shape({ node_id: TEXT, versions: rowsOf('snapshot_id', 'op', 'old', 'new'), next: TEXT_OR_NULL }),
  audited: ({ id }) => [readEvent('history_read', { node: id })],
  logged: ({ id, depth, full }) => ({ anchor: loggedId(id), depth, full }),

  async call({ memory }, { id, depth, full, after }) {
    const cursor = versionCursor(after)
    const isWhole = full || depth === 1
    const found = await memory.history({
      id,
      limit: depthOf(depth, DEPTHS),
      ...given({ after: cursor.after }),
    })
    const page = pageOfVersions({
      ...{ found, cursor, isCounted: Boolean(depth) && !isWhole },
      gap: '\n',
      blockOf: (row) => historyLines(row, undefined, { isWhole }).join('\n'),
      cursorOf: historyCursor,
      start: beforeIt,
    })
    const { rows, blocks, next } = page
    const [newest] = rows
    const excerpt = isWhole ? undefined : rows.find(isExcerpted)
    return {
      text: [
        ...(newest ? [historyTitle(newest)] : [`no history for ${printable(id)}`]),
        ...restLines(page, cursor, ({ snapshotId }) => `snapshot ${snapshotId}`),
        ...blocks,
        ...(excerpt
          ? [`… whole text of snapshot ${excerpt.snapshotId}: depth=1 after=${beforeIt(excerpt)}`]
          : []),
        ...(next === null ? [] : [`… ${continued(full, depth, next)} after=${next}`]),
      ].join('\n'),
      structured: { node_id: id, versions: rows.map(historyJson), next },
    }
  },
})

/** How to ask for the next page: in the same way where it begins within a text. */
function continued(full: boolean | undefined, depth: number | undefined, next: string): string {
  const isWithinText = versionCursor(next).from > 0
  if (full) return isWithinText ? 'more: full=true' : 'older: full=true'
  return isWithinText && depth === 1 ? 'more: depth=1' : 'older:'
}

/** `after` for a page that begins with this version. */
function beforeIt({ snapshotId }: VersionRow): string {
  return String(snapshotId + 1)
}
