import type { ExportResult } from '../../core/transfer/export.ts'
import { plural } from '../../util/text/units.ts'

/** `17 documents, 523 nodes and 3 snapshots`. */
export function countsLine({ documents, nodes, snapshots }: ExportResult): string {
  return `${plural(documents, 'document')}, ${plural(nodes, 'node')} and ${plural(snapshots, 'snapshot')}`
}
