import type { DocumentKind } from '../model.ts'
import type { BriefRow } from './nodes.ts'

/** How much a document holds. */
export interface DocumentSize {
  documentId: number
  kind: DocumentKind
  /** As an outline shows it. */
  source: string
  nodes: number
  tokens: number
}

/** A document that changed, and the newest snapshot that changed it. */
export interface ChangedDocument {
  name: string
  snapshotId: number
}

export interface MapReads {
  /** Live documents that have nodes, in no particular order. */
  documentSizes(): Promise<DocumentSize[]>
  /** How many live nodes each of these documents has. Looks at no more than `max` of each. */
  countNodesOf(documentIds: number[], max: number): Promise<number[]>
  /** Nodes that were read or pinned, the warmest first. Costs what it looks at, which is little. */
  warmest(limit: number): Promise<BriefRow[]>
  /** The documents that changed last, the newest first. */
  changedLast(limit: number): Promise<ChangedDocument[]>
}
