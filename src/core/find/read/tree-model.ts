import type { AsOf, MaybePast } from '../../port/history.ts'
import type { PlacedNode } from '../node-line.ts'

export interface TreeInput extends AsOf {
  /** Only this node and its descendants. */
  root?: string
  /** Levels below the top, at most 128. Default: 3. Without `root`, 0 is the first node of every document. */
  depth?: number
  /** Tokens of the answer as text (`treeText`), from 50; 0 or missing: no limit. */
  budget?: number
  /** Maximum number of nodes. Default: 200. */
  limit?: number
  /** `next` of the previous page. */
  after?: string
}

/** A node without its text. */
export interface TreeNode extends PlacedNode {
  /** How many nodes are directly below it. */
  children: number
  /**
   * The number of descendants deeper than requested, counted up to 100. In a list of documents (depth 0): the number of
   * other nodes of the document.
   */
  hidden?: number
  /** Some of those are not below it but elsewhere in its document. */
  isBeside?: true
}

export interface TreeAnswer extends MaybePast {
  /** In document order, each after its parent. */
  nodes: TreeNode[]
  /** Depth of the topmost nodes: 0 unless there is a `root`. */
  topDepth: number
  /** For a page that begins in the middle: the parent of its first node. */
  under: { id: string; label: string } | null
  /** Pass as `after` for the next page; null at the end. */
  next: string | null
  /** At the end, if `root` is at the top of its document: the next root. */
  nextInDocument?: string
}

/** Hidden nodes are counted up to this number. */
export const MAX_HIDDEN = 100
