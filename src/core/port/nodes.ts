import type { NodeType } from '../model.ts'
import type { Heat } from './heat.ts'
import type { DocumentNodeRow } from './rows.ts'
import type { StoredNodeFacts } from './stored.ts'

/** Where a node stands among its siblings; roots among those of their document. */
export interface OutlinePlace {
  key: number
  documentId: number
  position: string
}

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

/** A node as an outline shows it. */
export interface OutlineRow extends OutlinePlace, BriefRow {
  parentKey: number | null
  /** How many nodes stand right below it. */
  children: number
}

/** A node as a reading shows it. */
export interface ReadingRow extends BriefRow {
  parentKey: number | null
  text: string
}

/** What leads from a node to its root. */
export interface LineageRow {
  key: number
  parentKey: number | null
  /** Among its siblings: compared by code unit. */
  position: string
  label: string
}

/** What a score needs of a node, and what decides between equal ones. */
export interface NodeFacts {
  key: number
  type: NodeType
  tokens: number
  /** Its heat now. */
  temperature: number
  documentId: number
}

/** A node beside its heat: what it had, cooled by how far the heat clock went since. Pinned nodes keep theirs. */
export interface NodeHeatRow extends Heat {
  key: number
  id: string
  label: string
  accesses: number
}

/** What may be read of nodes. */
export interface NodeFields {
  brief: BriefRow
  outline: OutlineRow
  reading: ReadingRow
  lineage: LineageRow
  facts: NodeFacts
  heat: NodeHeatRow
  /** A node whose text is not stored is left out. */
  text: { key: number; text: string }
  full: DocumentNodeRow
}

/** Live nodes, unless it says otherwise; those that are not there are left out. */
export type NodeSelect =
  /** In this order. */
  | { ids: readonly string[] }
  /** In this order; with `removed` those that were removed, too. */
  | { keys: readonly number[]; removed?: boolean }
  /** Every child of each of these, by parent, then in order. */
  | { parents: readonly number[] }
  /** All nodes of a document, and those that only an overlay keeps away, in no particular order. */
  | { document: number }
  /** Those with greater keys, by key. Costs what it returns. */
  | { after: number; limit: number }

export type StoredSelect = { keys: readonly number[] } | { ids: readonly string[] }

/** What stands right below a node, or with null at the top; of all documents, or of one. */
export interface Siblings {
  parentKey: number | null
  documentId?: number
}

/** How deep in an answer something stands: an outline goes down from there. */
interface AtLevel {
  level?: number
}

/** Where an outline begins: with siblings, those after a place whose node need not be there any more; or with one node. */
export type OutlineStart = AtLevel & ((Siblings & { after?: OutlinePlace }) | { id: string })

export interface OutlinePage<F extends keyof NodeFields> {
  fields: F
  limit: number
  /** The deepest level. Default: that of what it begins with. */
  depth?: number
  /** Siblings from the last one backwards, and nothing below them. Not for the roots of all documents. */
  backwards?: boolean
  /** Count what is below nodes of the deepest level. */
  sizes?: Sizes
}

export interface Walk<F extends keyof NodeFields> {
  fields: F
  /** Up to the root, each node once; down; or both from one node: first up, with distances below 0, then down. */
  direction: 'up' | 'down' | 'both'
  /** Downwards: the most steps, and the most nodes. */
  depth?: number
  limit?: number
  /** Where `depth` or `limit` leave something out: count what is below the node where it begins. */
  sizes?: Sizes
}

/** What is below a node, however deep: at most `max` nodes are looked at, the nearest ones. */
export interface Sizes {
  max: number
  /** Otherwise they are 0: adding them up costs more than counting nodes. */
  tokens?: boolean
}

export interface Size {
  nodes: number
  tokens: number
}

export type WalkFrom = { ids: readonly string[] } | { keys: readonly number[] }

/** A node on the way from where a walk began, or at a level of an outline. */
export type Walked<F extends keyof NodeFields> = NodeFields[F] & {
  distance: number
  /** Where it was asked for and there is something. */
  below?: Size
  /** Of a root that an outline or a walk in both directions began with: the id of the one after it in its document. */
  following?: string
}

export interface NodeReads {
  nodes<F extends keyof NodeFields>(select: NodeSelect, fields: F): Promise<NodeFields[F][]>
  /**
   * Live nodes in document order: each start in turn, what stands there and after it, and what is below that. Roots of all
   * documents: sources by root and path, then the other doors by kind and name. Costs what it returns.
   */
  outline<F extends keyof NodeFields>(
    from: readonly OutlineStart[],
    page: OutlinePage<F>,
  ): Promise<Walked<F>[]>
  /** Live nodes, then what is one step away from them, then what is two: of the same distance in document order. */
  walk<F extends 'lineage' | 'outline' | 'reading'>(from: WalkFrom, walk: Walk<F>): Promise<Walked<F>[]>
  /** All that is stored of nodes, live or not, in no particular order. */
  storedNodes(select: StoredSelect): Promise<StoredNodeFacts[]>
  /** Those of `ids` that a node has, or had. */
  usedIds(ids: string[]): Promise<string[]>
  /** Texts by digest; a digest that is not stored is missing from the map. */
  texts(digests: string[]): Promise<Map<string, string>>
}
