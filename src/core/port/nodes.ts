import type { NodeType } from '../model.ts'
import type { Heat, HeatRecord } from './heat.ts'
import type { SnapshotRange } from './history.ts'
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

/** A node, and the snapshot that changed it last. One without a version is left out. */
export interface NodeChangeRow {
  key: number
  documentId: number
  changedIn: number
}

/** What may be read of nodes: `nodeShapes` says what each is made of. */
export interface NodeFields {
  brief: BriefRow
  outline: OutlineRow
  reading: ReadingRow
  lineage: LineageRow
  facts: NodeFacts
  heat: NodeHeatRow
  change: NodeChangeRow
  /** A node whose text is not stored is left out. */
  text: { key: number; text: string }
  full: DocumentNodeRow
  /** All that is stored of it, for who is going to change it. */
  stored: StoredNodeFacts
  heatRecord: HeatRecord & { id: string }
  id: { key: number; id: string }
}

/** Live nodes, unless it says otherwise; those that are not there are left out. */
export type NodeSelect =
  /** In this order; with `removed` those that were removed, too. */
  | { ids: readonly string[]; removed?: boolean }
  | { keys: readonly number[]; removed?: boolean }
  /** Every child of each of these, by parent, then in order. */
  | { parents: readonly number[] }
  /** The nodes of a document, by key; with `limit` the first ones. */
  | { document: number; limit?: number }
  /** Those with greater keys, by key. Costs what it returns. */
  | { after: number; limit: number }
  /** The same of nodes that a later snapshot than this one removed. Looks at all nodes. */
  | { removedAfter: number; after: number; limit: number }
  /** The same of nodes, live or removed, that changed in a range. Costs no more than that many keys of each snapshot. */
  | { changedIn: SnapshotRange; after: number; limit: number }
  | OrderedNodes

/** The first `limit` nodes in an order that an engine keeps. Costs what is looked at. */
export type OrderedNodes =
  /** Those that cool, so not the pinned, then by key. `below`: only with less heat. `isNew`: only what was not reported since it fell. */
  | { order: 'coldest'; limit: number; below?: number; isNew?: boolean }
  | { order: 'coldest'; limit: number; unread: LongUnread }
  /**
   * The reverse, with the pinned; `pinned`: only those, or none of them. `apart`: only what is warmer than all that have no room, so
   * that chance decides nothing.
   */
  | { order: 'warmest'; limit: number; pinned?: boolean; apart?: boolean }
  /** Removed ones too, the newest first. `limit` is of changes: a node may have several of them. */
  | { order: 'changed'; limit: number }

/** Of the coldest `lookedAt` those with more than `tokens` that nobody has read or changed since `since`. */
export interface LongUnread {
  lookedAt: number
  tokens: number
  since: number
}

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
  /** Texts by digest; a digest that is not stored is missing from the map. */
  texts(digests: string[]): Promise<Map<string, string>>
}
