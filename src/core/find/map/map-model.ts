import type { BriefRow } from '../../port/nodes.ts'
import type { ChangedDocument } from './map-changes.ts'

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

/** A folder or document on the map; `inside` has what is right below a folder, where there is room for it. */
export interface MapEntry extends MapGroup {
  inside: MapGroup[]
  /** How many entries right below it are not in `inside`. */
  more: number
}

/** A memory at a glance: at most 500 tokens as text, however large it is. */
export interface MemoryMap {
  documents: number
  nodes: number
  tokens: number
  /** The folder that all documents are in; '' for none. */
  folder: string
  /** By size. */
  entries: MapEntry[]
  /** What has no line of its own. */
  rest: { entries: number; documents: number; tokens: number }
  /** Of a memory that is one document: how it begins, as far as there is room. */
  sections: Omit<BriefRow, 'key'>[]
  /** What was read or pinned, the warmest first. */
  warm: Omit<BriefRow, 'key'>[]
  /** What changed last, the newest first, but for a snapshot that changed more than can be named. */
  changed: ChangedDocument[]
  /** The last snapshot, where it is one of those. */
  changedAtOnce: number | null
}
