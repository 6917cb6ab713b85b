import type { NodeType } from '../model.ts'

/** A node as one line shows it. */
export interface BriefRow {
  key: number
  id: string
  type: NodeType
  label: string
  tokens: number
  /** Heat as it is now. */
  temperature: number
  source: string
}

/** A node as an outline or a reading shows it. */
export interface OutlineRow extends OutlinePlace, BriefRow {
  parentKey: number | null
  /** How many nodes stand right below it. */
  children: number
}

/** A node as a reading shows it. */
export interface ReadingRow extends BriefRow {
  parentKey: number | null
  /** How far from the node that was asked for. */
  distance: number
  text: string
}

/** Where a node stands among its siblings; roots among those of their document. */
export interface OutlinePlace {
  key: number
  documentId: number
  position: string
}

export interface OutlineReads {
  /**
   * Live nodes right below `parentKey`, in order, or with null live roots, in the order of `roots`; those after `after`,
   * which need not be there any more. Costs what it returns.
   */
  outline(parentKey: number | null, page: { limit: number; after?: OutlinePlace }): Promise<OutlineRow[]>
  /** The id of the live root that follows a root in its document. */
  nextRoot(key: number): Promise<string | undefined>
  /** Every live child of each of `parentKeys`, by parent, then in order. */
  outlineChildren(parentKeys: number[]): Promise<OutlineRow[]>
  /** Live nodes by key, in no particular order; others are missing. */
  briefNodes(keys: number[]): Promise<BriefRow[]>
  /** Live nodes by key, in the order of `keys`; others are missing. */
  outlineNodes(keys: number[]): Promise<OutlineRow[]>
  /** As `outlineNodes`, by id. */
  outlineByIds(ids: string[]): Promise<OutlineRow[]>
  /**
   * A live node by its id, then what is below it down to `depth` levels, the nearest first: of the same distance in document
   * order. At most `limit` together; nothing where there is no such node.
   */
  readingBelow(id: string, page: { depth: number; limit: number }): Promise<ReadingRow[]>
  /** What stands above a node, from its parent to the root. */
  readingAbove(key: number): Promise<ReadingRow[]>
  /** How many nodes stand below one, however deep. Looks at no more than `max`, the nearest ones. */
  countBelow(key: number, max: number): Promise<number>
  /** How many live nodes a document has. Looks at no more than `max`. */
  countNodesOf(documentId: number, max: number): Promise<number>
  /** As `countBelow`, and how many tokens they have. */
  sumBelow(key: number, max: number): Promise<{ nodes: number; tokens: number }>
  /** What live nodes say, by key. */
  nodeTexts(keys: number[]): Promise<Map<number, string>>
}
