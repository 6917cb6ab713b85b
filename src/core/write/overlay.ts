import type { NodeState } from '../model.ts'
import { isLive } from '../port/rows.ts'
import type { DocumentNodeRow, NodeRow } from '../port/store.ts'
import type { OverlayPut } from '../port/write-set.ts'
import { isSameContent, isSamePlace, type Plan } from '../rows/plan.ts'

/** The file's version of a node: its overlay's base, or the node itself if there is no overlay. */
export function baseOf(row: DocumentNodeRow, current: NodeState): NodeState | null {
  if (row.overlay) return row.overlay.base
  return isLive(row) ? current : null
}

/**
 * Records that an agent changed a node of a source document to `next` (null: removed). Nothing is recorded if it equals
 * the file.
 */
export function overlayEdit(
  plan: Plan,
  row: DocumentNodeRow,
  edit: { operation: string; current: NodeState; next: NodeState | null },
): void {
  const base = baseOf(row, edit.current)
  if (agrees(base, edit.next)) {
    if (row.overlay) plan.removedOverlays.push(row.key)
  } else plan.overlays.push(overlayOf(row, edit.operation, base))
}

/** Without label and links: they contain words of the file's text, which can be dropped or erased everywhere else. */
export function overlayOf(row: NodeRow, operation: string, base: NodeState | null): OverlayPut {
  return { nodeKey: row.key, operation, base: base && { ...base, label: null, links: null } }
}

function agrees(base: NodeState | null, next: NodeState | null): boolean {
  if (base === null || next === null) return base === next
  return isSameContent(base, next) && isSamePlace(base, next)
}
