import type { KeyPage } from './history.ts'

/** A text with how many versions refer to it. */
export interface HeldText {
  digest: string
  count: number
}

/** Versions of a document and of its nodes; or whatever snapshots after one made. */
export type HeldBy = { document: number } | { after: number }

/** A node that a snapshot after another one removed. */
export interface RemovedNode {
  key: number
  /** The last snapshot, up to that other one, that made something of it; null: none did. */
  knownIn: number | null
  hasOverlay: boolean
  /** Its document is erased. */
  isErased: boolean
}

/** What has to be known before history is taken out. */
export interface ForgetReads {
  /** In no particular order. */
  heldTexts(by: HeldBy): Promise<HeldText[]>
  /** By key. Looks at all nodes. */
  removedAfter(snapshotId: number, page: KeyPage): Promise<RemovedNode[]>
}
