import { MemoryError } from '../../../core/errors.ts'
import { historyJson } from '../../../core/render/versions-json.ts'
import { historyLines, historyTitle } from '../../../core/render/versions-text.ts'
import type { Memory } from '../../../runtime/memory/open-memory.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { printable } from '../../../util/text/printable.ts'
import { type Context, defineCommand } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { pageOf, tellNext } from '../../base/pages.ts'
import { refuseFilters, SNAPSHOT_FLAGS, showSnapshots } from './snapshot-list.ts'

interface Page {
  limit?: number
  after?: string
}

export const command = defineCommand({
  parameters: {
    'node-id': {
      kind: 'text',
      optional: true,
      help: 'The id of a node, even a removed one; search, tree and delta show ids. Default: every snapshot',
    },
  },
  flags: {
    ...SNAPSHOT_FLAGS,
    limit: {
      ...SNAPSHOT_FLAGS.limit,
      help: 'At most this many. Default: 20 snapshots, 10 versions of a node',
    },
    json: { kind: 'switch', help: 'Print JSON, with the whole texts' },
  },
  examples: [
    'remindb history',
    'remindb history --author ada',
    'remindb history 25FHWVYdid1',
    'remindb history 25FHWVYdid1 --limit 1 --json',
  ],

  async run(context, { parameters: { 'node-id': id }, flags }) {
    const page = pageOf(flags, /^\d+$/)
    if (id !== undefined) refuseFilters(flags)
    await withMemory(context, (memory) =>
      id === undefined
        ? showSnapshots(context, memory, { flags, name: 'history' })
        : showNode(context, memory, { id, ...page }, flags.json),
    )
    return 0
  },
})

async function showNode(
  context: Context,
  memory: Memory,
  input: Page & { id: string },
  json: boolean,
): Promise<void> {
  const { out, palette } = context
  const { id } = input
  const { items, next } = await memory.history(input)
  if (items.length === 0) await checkIsKnown(memory, id)
  if (json) {
    return writePieces(out, jsonPieces({ node_id: id, versions: items.map(historyJson), next }))
  }
  const [newest] = items
  if (!newest) return writeLines(out, [`no older versions of ${printable(id)}`])
  await writeLines(out, [historyTitle(newest, palette)])
  for (const row of items) await writeLines(out, historyLines(row, palette))
  await tellNext(context, memory, { words: `history ${id}`, next, limit: input.limit, label: 'older' })
}

async function checkIsKnown(memory: Memory, id: string): Promise<void> {
  const { items } = await memory.history({ id, limit: 1 })
  if (items.length > 0) return
  throw new MemoryError('NOT_FOUND', `no node ${id}; search, tree and delta show ids`)
}
