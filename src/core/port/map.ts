import type { BriefRow } from './outline.ts'

/** A folder or a document of the map, with all that is in it. */
export interface MapGroup {
  /** As the tree shows it; a folder ends with a slash. What is behind another door is in a folder like `key:/`. */
  name: string
  documents: number
  nodes: number
  tokens: number
  /** Of one that is a document: the id of its first node. */
  nodeId: string | null
}

export interface MapGroups {
  /** The largest ones. */
  groups: MapGroup[]
  /** How many there are, and what all of them hold. */
  total: { groups: number; documents: number; nodes: number; tokens: number }
}

/** A document that changed, and the newest snapshot that changed it. */
export interface ChangedDocument {
  name: string
  snapshotId: number
}

/** Sums that the engine adds up: no tree is built for them. */
export interface MapReads {
  /** The folder that every document is in, '' where they have none in common. */
  commonFolder(): Promise<string>
  /** What is right below a folder, by size, at most `limit`. */
  mapGroups(page: { folder: string; limit: number }): Promise<MapGroups>
  /** Nodes that were read or pinned, the warmest first. Costs what it looks at, which is little. */
  warmest(limit: number): Promise<BriefRow[]>
  /** The documents that changed last, the newest first. */
  changedLast(limit: number): Promise<ChangedDocument[]>
}
