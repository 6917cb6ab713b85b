import { MemoryError } from '../../../core/errors.ts'
import type { SnapshotRow } from '../../../core/port/store.ts'
import { historyJson } from '../../../core/render/versions-json.ts'
import { historyLines, historyTitle } from '../../../core/render/versions-text.ts'
import type { Memory } from '../../../runtime/memory/open-memory.ts'
import type { Palette } from '../../../util/terminal/color.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { printable } from '../../../util/text/printable.ts'
import { type Context, defineCommand } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { PAGE_FLAGS, pageOf, tellNext } from '../../base/pages.ts'

interface Page {
  limit?: number
  after?: string
}

const SNAPSHOTS = 20

export const command = defineCommand({
  parameters: {
    'node-id': {
      kind: 'text',
      optional: true,
      help: 'The id of a node, even a removed one; search, tree and delta show ids. Default: every snapshot',
    },
  },
  flags: {
    ...PAGE_FLAGS,
    limit: {
      ...PAGE_FLAGS.limit,
      help: `At most this many. Default: ${SNAPSHOTS} snapshots, 10 versions of a node`,
    },
    json: { kind: 'switch', help: 'Print JSON, with the whole texts' },
  },
  examples: [
    'remindb history',
    'remindb history 25FHWVYdid1',
    'remindb history 25FHWVYdid1 --limit 1 --json',
  ],

  async run(context, { parameters: { 'node-id': id }, flags }) {
    const page = pageOf(flags, /^\d+$/)
    await withMemory(context, (memory) =>
      id === undefined
        ? showSnapshots(context, memory, page, flags.json)
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

async function showSnapshots(context: Context, memory: Memory, page: Page, json: boolean): Promise<void> {
  const { out, palette } = context
  const limit = page.limit ?? SNAPSHOTS
  const before = page.after === undefined ? {} : { before: Number(page.after) }
  const found = await memory.snapshots({ limit: limit + 1, ...before })
  const snapshots = found.slice(0, limit)
  const next = found.length > limit ? String(snapshots.at(-1)?.id) : null
  if (json) return writePieces(out, jsonPieces({ snapshots: snapshots.map(snapshotJson), next }))
  if (snapshots.length === 0) return writeLines(out, ['no snapshots'])
  await writeLines(
    out,
    snapshots.map((row) => snapshotLine(row, palette)),
  )
  await tellNext(context, memory, { words: 'history', next, limit: page.limit, label: 'older' })
}

/** One line per snapshot: `#7 2026-01-31 12:00:05Z compile by cli: compile:docs`. Times are UTC, as everywhere. */
function snapshotLine(row: SnapshotRow, palette: Palette): string {
  const { id, createdAt, operation, author, message } = row
  const time = new Date(createdAt).toISOString().replace('T', ' ').replace(/\.\d+/, '')
  return `${palette.bold(`#${id}`)} ${palette.dim(time)} ${operation} by ${printable(author)}: ${printable(message)}`
}

function snapshotJson(row: SnapshotRow) {
  return {
    id: row.id,
    parent_id: row.parentId,
    message: row.message,
    compile_root: row.root,
    created_at: Math.floor(row.createdAt / 1000),
    operation: row.operation,
    author: row.author,
    cursor_hash: row.cursorHash,
  }
}
