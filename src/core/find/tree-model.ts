import type { NodeType } from '../model.ts'

export interface TreeInput {
  /** Only this node and what is below it. */
  root?: string
  /** Levels below the top, at most 128. Default: 3. */
  depth?: number
  /** Tokens of the answer as text (`treeText`), from 50; 0 or missing: no limit. */
  budget?: number
  /** At most so many nodes. Default: 200. */
  limit?: number
  /** `next` of the page before. */
  after?: string
}

/** A node without its text. */
export interface TreeNode {
  id: string
  type: NodeType
  label: string
  /** From 0 at the top of its document. */
  depth: number
  path: string
  tokens: number
  temperature: number
  /** How many nodes stand right below it. */
  children: number
  /** Where they are deeper than was asked: how many nodes there are below it, counted up to 100. */
  hidden?: number
  /** There was not even room for a whole line: as text it is only its type, label and id. */
  brief?: boolean
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
}

/** Beyond this, what is hidden below a node is not counted. */
export const MAX_HIDDEN = 100
