import type { LinkReads } from '../../core/port/links.ts'
import type { Sync } from '../tx.ts'

export function linkReads(): Sync<LinkReads> {
  return { edgesOf: () => [], listEdges: () => [], listPending: () => [] }
}
