import type { ExportResult } from '../../core/export.ts'
import { plural } from '../../util/terminal-units.ts'

/** `17 documents, 523 nodes and 3 snapshots`. */
export function countsLine({ documents, nodes, snapshots }: ExportResult): string {
  return `${plural(documents, 'document')}, ${plural(nodes, 'node')} and ${plural(snapshots, 'snapshot')}`
}
