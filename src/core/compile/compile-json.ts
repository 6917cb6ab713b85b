import type { CompiledCounts } from './compile-text.ts'

/** `root` is the folder that paths are relative to. */
export function compileJson(result: CompiledCounts & { root: string }) {
  const { root, added, modified, removed, total, files, skipped, warnings, unread } = result
  const { overlays, reseeded = 0, conflicts, redactions, snapshot } = result
  return {
    root,
    added,
    modified,
    removed,
    total,
    files,
    skipped,
    warnings,
    unread,
    overlays,
    reseeded,
    conflicts: conflicts.map(({ nodeId, operation, kind, path }) => ({
      node_id: nodeId,
      operation,
      kind,
      path,
    })),
    redactions,
    snapshot_id: snapshot?.id ?? null,
    cursor_hash: snapshot?.cursorHash ?? null,
  }
}
