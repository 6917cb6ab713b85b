import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import type { RollbackPreview, RollbackResult } from '../history/rollback.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'
import type { SnapshotRow } from '../port/store.ts'
import { redactedLines } from '../redacted-text.ts'
import type { ForgetMode, ForgetResult } from '../tree/forget.ts'
import type { RelateResult } from '../tree/relate.ts'
import type { SummarizeResult } from '../tree/summarize.ts'
import type { WriteResult } from '../tree/write.ts'

/** The results of changes as text: one line, then details. */

export function wroteLines(
  { id, tokens, snapshot, redactions }: WriteResult,
  palette = PLAIN_PALETTE,
): string[] {
  const line = `wrote node ${printable(id)} (${plural(tokens, 'token')})${inSnapshot(snapshot)}`
  return [line, ...redactedLines(redactions, palette)]
}

export function summarizedLines(
  id: string,
  result: SummarizeResult,
  palette: Palette = PLAIN_PALETTE,
): string[] {
  const { oldTokens, newTokens, redactions, snapshot } = result
  const line = `summarized node ${printable(id)} (${oldTokens} → ${newTokens} tokens)${inSnapshot(snapshot)}`
  return [line, ...redactedLines(redactions, palette)]
}

export function forgotLine(id: string, mode: ForgetMode, { affected, snapshot }: ForgetResult): string {
  return `forgot node ${printable(id)} (mode=${mode}, ${affected} affected)${inSnapshot(snapshot)}`
}

export function rolledBackLine(result: RollbackResult, dropAfter: boolean): string {
  switch (result.status) {
    case 'at-target':
      return `already at snapshot ${result.target}; nothing to do`
    case 'unchanged':
      return `no rollback applied; computed state matches HEAD for snapshot ${result.target}`
    case 'rolled-back': {
      const { target, snapshot, affected, pruned } = result
      const dropped = dropAfter ? `; pruned ${plural(pruned, 'intermediate snapshot')}` : ''
      return `rolled back to snapshot ${target} (new snapshot ${snapshot.id}, ${plural(affected, 'node')} affected)${dropped}`
    }
  }
}

export function wouldRollBackLine(preview: RollbackPreview, dropAfter: boolean): string {
  const { target, changes, documents, snapshotsAfter } = preview
  const parts = [
    plural(changes.length, 'node'),
    ...(documents > 0 ? [plural(documents, 'key, record or file', 'keys, records or files')] : []),
    ...(dropAfter ? [`${plural(snapshotsAfter, 'snapshot')} forgotten for good`] : []),
  ]
  const isNothing = changes.length + documents + (dropAfter ? snapshotsAfter : 0) === 0
  const what = isNothing ? 'nothing would change' : `would change ${parts.join(', ')}`
  return `rollback to snapshot ${target}: ${what}. This was a dry run: nothing was changed`
}

export function relatedLine(sourceId: string, result: RelateResult): string {
  const to = result.status === 'resolved' ? result.targetId : `"${result.label}"`
  return printable(`edge created (${result.status}): ${sourceId} -> ${to}`)
}

export function pinnedLine(id: string, temperature?: number): string {
  const heat = temperature === undefined ? '' : ` at temperature ${temperature.toFixed(2)}`
  return `pinned node ${printable(id)}${heat}`
}

export function unpinnedLine(id: string): string {
  return `unpinned node ${printable(id)}`
}

/** The end of the line that tells of a change: where it can be found again. */
export function inSnapshot(snapshot: SnapshotRow | null): string {
  return snapshot ? `; snapshot ${snapshot.id}` : '; no new snapshot: content unchanged'
}
