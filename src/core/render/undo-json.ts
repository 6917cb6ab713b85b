import type { UndoConflict, UndoPreview, UndoResult } from '../history/undo.ts'
import { diffJson } from './versions-json.ts'

/** The result of a restore or a revert as data. `snapshot_id` is null if nothing changed. */
export function undoJson(result: UndoResult) {
  const isDone = result.status === 'done'
  const { conflicts = [], total = 0 } = result.status === 'conflict' ? result : {}
  return {
    status: result.status,
    target: result.target,
    affected: isDone ? result.affected : 0,
    documents: isDone ? result.documents : 0,
    erased: result.erased,
    conflicts: conflicts.map(conflictJson),
    conflicts_total: total,
    snapshot_id: isDone ? result.snapshot.id : null,
  }
}

export function undoPreviewJson({ target, changes, documents, erased, conflicts, total }: UndoPreview) {
  return {
    dry_run: true,
    target,
    changes: changes.map(diffJson),
    documents,
    erased,
    conflicts: conflicts.map(conflictJson),
    conflicts_total: total,
  }
}

function conflictJson({ kind, nodeId, file, heading, changedIn, now, wouldBe }: UndoConflict) {
  return { kind, node_id: nodeId, file, heading, changed_in: changedIn, now, would_be: wouldBe }
}
