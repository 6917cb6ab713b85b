import type { BriefRow } from '../../port/nodes.ts'
import type { ChangedDocument } from './map-changes.ts'

/** A folder or a document on the map, with the size of everything in it. */
export interface MapGroup {
  /** As the tree shows it; a folder ends with a slash. Documents of other doors are in a folder like `key:/`. */
  name: string
  documents: number
  nodes: number
  tokens: number
  /** For a document: the id of its first node. */
  nodeId: string | null
}

/** A folder or document on the map; `inside` has the entries directly below a folder, as far as they fit. */
export interface MapEntry extends MapGroup {
  inside: MapGroup[]
  /** How many entries directly below it are not in `inside`. */
  more: number
}

/** An overview of a memory: at most 500 tokens as text, however large it is. */
export interface MemoryMap {
  documents: number
  nodes: number
  tokens: number
  /** The folder that contains all documents; '' if there is none. */
  folder: string
  /** By size. */
  entries: MapEntry[]
  /** Entries without a line. */
  rest: { entries: number; documents: number; tokens: number }
  /** For a memory of one document: its first sections, as far as they fit. */
  sections: Omit<BriefRow, 'key'>[]
  /** Nodes that were read or pinned, warmest first. */
  warm: Omit<BriefRow, 'key'>[]
  /** Documents that changed last, newest first, without a snapshot that changed too many to name. */
  changed: ChangedDocument[]
  /** The last snapshot, if it is one of those. */
  changedAtOnce: number | null
}
