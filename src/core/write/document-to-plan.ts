import type { Bounds } from '../positions.ts'
import type { FlatBlock } from '../rows/flatten.ts'

/** Where the roots of a document hang: usually nowhere; a note may stand under a heading of another document. */
export interface Attachment {
  parentKey: number | null
  parentId: string | null
  bounds: Bounds
}

/** A document whose nodes are to be brought to what its text says now. */
export interface DocumentToPlan {
  documentId: number
  /** Namespace of first-time ids, and the id of the first root where that is given. */
  idPath: string
  firstRootId?: string
  flat: FlatBlock[]
  /** By root: where it hangs. Missing: a root of the forest. */
  attachments?: (Attachment | undefined)[]
}
