import type { NodeState } from './model.ts'

/** Rows that more than one part of the store port speaks of. */

export type DocumentState = 'live' | 'removed' | 'erased'

/** What the file says of a node while the memory says something else; `base` is null when the file has no such node. */
export interface Overlay {
  operation: string
  base: NodeState | null
}

export interface SnapshotRow {
  id: number
  parentId: number | null
  cursorHash: string
  author: string
  operation: string
  message: string
  /** Stored name of the compile root, '' when there is none. */
  root: string
  createdAt: number
}
