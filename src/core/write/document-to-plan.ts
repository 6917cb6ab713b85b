import type { Bounds } from '../positions.ts'
import type { FlatBlock } from '../rows/flatten.ts'

/** The parent of a document's roots: usually none; a note may be under a heading of another document. */
export interface Attachment {
  parentKey: number | null
  parentId: string | null
  bounds: Bounds
}

/** A document whose nodes are updated to its new text. */
export interface DocumentToPlan {
  documentId: number
  /** Namespace of first-time ids, and the id of the first root if given. */
  idPath: string
  firstRootId?: string
  flat: FlatBlock[]
  /** The parent of each root. Missing: a root of the forest. */
  attachments?: (Attachment | undefined)[]
}
