import type { PlacedNode } from '../node-line.ts'

export interface TreeInput {
  /** Only this node and what is below it. */
  root?: string
  /** Levels below the top, at most 128. Default: 3. Without `root`, 0 is the first node of every document. */
  depth?: number
  /** Tokens of the answer as text (`treeText`), from 50; 0 or missing: no limit. */
  budget?: number
  /** At most this many nodes. Default: 200. */
  limit?: number
  /** `next` of the page before. */
  after?: string
}

/** A node without its text. */
export interface TreeNode extends PlacedNode {
  /** How many nodes stand right below it. */
  children: number
  /**
   * Where they are deeper than was asked: how many nodes there are below it, counted up to 100. In a list of documents
   * (depth 0): how many others the document has.
   */
  hidden?: number
  /** Some of those are not below it but elsewhere in its document. */
  isBeside?: true
}

export interface TreeAnswer {
  /** In document order, each after its parent. */
  nodes: TreeNode[]
  /** Of the topmost nodes: 0 unless there is a `root`. */
  topDepth: number
  /** Of a page that begins in the middle: what its first node stands below. */
  under: { id: string; label: string } | null
  /** Pass as `after` for the next page; null at the end. */
  next: string | null
  /** At the end, where `root` is at the top of its document: what follows it there. */
  nextInDocument?: string
}

/** Beyond this, what is hidden below a node is not counted. */
export const MAX_HIDDEN = 100
