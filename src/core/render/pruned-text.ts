import { formatSize, plural } from '../../util/text/units.ts'
import type { PruneResult } from '../history/prune.ts'

export function prunedLine(result: PruneResult): string {
  const { dryRun, snapshots, versions, texts, textBytes, nodes, bytesBefore, bytesAfter } = result
  const end = dryRun ? '. This was a dry run: nothing was changed' : ''
  if (snapshots === 0) return `nothing to prune: every snapshot is kept${end}`
  const parts = [
    plural(snapshots, 'snapshot'),
    plural(versions, 'version'),
    `${plural(texts, 'text')} (${formatSize(textBytes)})`,
    ...(nodes > 0 ? [plural(nodes, 'removed node')] : []),
  ]
  const sizes = `database ${formatSize(bytesBefore)} → ${dryRun ? 'about ' : ''}${formatSize(bytesAfter)}`
  return `${dryRun ? 'would prune' : 'pruned'} ${parts.join(', ')}; ${sizes}${end}`
}

export function prunedJson({ dryRun, snapshots, versions, texts, textBytes, nodes, ...sizes }: PruneResult) {
  return {
    dry_run: dryRun,
    snapshots,
    versions,
    texts,
    text_bytes: textBytes,
    nodes,
    bytes_before: sizes.bytesBefore,
    bytes_after: sizes.bytesAfter,
  }
}
