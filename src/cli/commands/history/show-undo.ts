import type { UndoPreview, UndoResult } from '../../../core/history/undo.ts'
import { diffLines } from '../../../core/render/diff-text.ts'
import { undoJson, undoPreviewJson } from '../../../core/render/undo-json.ts'
import { conflictLines, type UndoAsked, undoneLine, wouldUndoLine } from '../../../core/render/undo-text.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import type { Context, ExitCode } from '../../base/command.ts'

export const UNDO_FLAGS = {
  force: { kind: 'switch', help: 'Where something changed since, take the older text' },
  'dry-run': { kind: 'switch', help: 'Show what would change, node by node, and change nothing' },
  json: { kind: 'switch', help: 'Print JSON' },
} as const

export interface ShowOptions {
  asked: UndoAsked
  force: boolean
  json: boolean
}

/** Prints what a restore or a revert did or would do. Fails on a conflict that nobody decided. */
export async function showUndo(
  context: Context,
  result: UndoResult | UndoPreview,
  options: ShowOptions,
): Promise<ExitCode> {
  if (result.status === 'dry-run') await showPreview(context, result, options)
  else if (options.json) await writePieces(context.out, jsonPieces(undoJson(result)))
  else if (result.status === 'conflict') await showConflicts(context, result)
  else await writeLines(context.out, [undoneLine(result, options.asked)])
  if (!('conflicts' in result) || result.total === 0 || options.force) return 0
  const done = result.status === 'conflict' ? undoneLine(result, options.asked) : 'it has conflicts'
  await writeLines(context.err, [
    `remindb: ${done}. --force takes the older texts; --dry-run shows every change`,
  ])
  return 1
}

type Conflicts = Pick<UndoPreview, 'conflicts' | 'total'>

async function showConflicts({ out, palette }: Context, { conflicts, total }: Conflicts): Promise<void> {
  for (const conflict of conflicts) await writeLines(out, conflictLines(conflict, palette))
  if (total > conflicts.length) await writeLines(out, [`… ${total - conflicts.length} more`])
}

async function showPreview(
  context: Context,
  preview: UndoPreview,
  { asked, json }: ShowOptions,
): Promise<void> {
  const { out, palette } = context
  if (json) return writePieces(out, jsonPieces(undoPreviewJson(preview)))
  for (const row of preview.changes) await writeLines(out, [...diffLines(row, palette), ''])
  await writeLines(
    out,
    preview.documents.map((name) => `document: ${name}`),
  )
  await showConflicts(context, preview)
  await writeLines(out, [wouldUndoLine(preview, asked)])
}
