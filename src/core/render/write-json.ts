import type { RollbackPreview, RollbackResult } from '../history/rollback.ts'
import type { ForgetMode, ForgetResult } from '../tree/forget.ts'
import type { RelateResult } from '../tree/relate.ts'
import type { SummarizeResult } from '../tree/summarize.ts'
import type { WriteResult } from '../tree/write.ts'
import { diffJson } from './versions-json.ts'

/** The results of changes as data. `snapshot_id` is null if nothing changed. */

export function writeJson({ id, tokens, redactions, snapshot }: WriteResult) {
  return { node_id: id, tokens, redactions, snapshot_id: snapshot?.id ?? null }
}

export function summarizeJson(id: string, { oldTokens, newTokens, redactions, snapshot }: SummarizeResult) {
  return {
    node_id: id,
    old_tokens: oldTokens,
    new_tokens: newTokens,
    redactions,
    snapshot_id: snapshot?.id ?? null,
  }
}

export function forgetJson(id: string, mode: ForgetMode, { affected, snapshot }: ForgetResult) {
  return { node_id: id, mode, affected, snapshot_id: snapshot?.id ?? null }
}

export function rollbackJson(result: RollbackResult) {
  const isDone = result.status === 'rolled-back'
  return {
    status: result.status,
    target: result.target,
    affected: isDone ? result.affected : 0,
    pruned: result.status === 'at-target' ? 0 : result.pruned,
    snapshot_id: isDone ? result.snapshot.id : null,
  }
}

export function previewJson(
  { target, changes, documents, snapshotsAfter }: RollbackPreview,
  dropAfter: boolean,
) {
  return {
    dry_run: true,
    target,
    changes: changes.map(diffJson),
    documents,
    pruned: dropAfter ? snapshotsAfter : 0,
  }
}

export function relateJson(sourceId: string, result: RelateResult) {
  const isResolved = result.status === 'resolved'
  return {
    status: result.status,
    source_id: sourceId,
    target_id: isResolved ? result.targetId : null,
    target_label: isResolved ? null : result.label,
  }
}

export function pinJson(id: string, temperature?: number) {
  return { node_id: id, pinned: true, temperature: temperature ?? null }
}

export function unpinJson(id: string) {
  return { node_id: id, pinned: false }
}
