import type { NodeType } from '../model.ts'
import type { Heat, HeatRecord } from './heat.ts'
import type { SnapshotRange } from './history.ts'
import type { DocumentNodeRow } from './rows.ts'
import type { StoredNodeFacts } from './stored.ts'

/** The place of a node among its siblings; for a root, among the roots of its document. */
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
  /** Current heat. */
  temperature: number
  source: string
}

/** A node as an outline shows it. */
export interface OutlineRow extends OutlinePlace, BriefRow {
  parentKey: number | null
  /** How many nodes are directly below it. */
  children: number
}

/** A node as `fetch` shows it. */
export interface ReadingRow extends BriefRow {
  parentKey: number | null
  text: string
}

/** The way from a node to its root. */
export interface LineageRow {
  key: number
  parentKey: number | null
  /** Among its siblings; compares by code unit. */
  position: string
  label: string
}

/** The input of a score, and of the order among equal scores. */
export interface NodeFacts {
  key: number
  type: NodeType
  tokens: number
  /** Current heat. */
  temperature: number
  documentId: number
}

/** A node with its heat as stored, and how far the heat clock has advanced since. Pinned nodes keep theirs. */
export interface NodeHeatRow extends Heat {
  key: number
  id: string
  label: string
  accesses: number
}

/** A node and the snapshot that last changed it. A node without a version is left out. */
export interface NodeChangeRow {
  key: number
  documentId: number
  changedIn: number
}

/** What can be read of nodes; `nodeShapes` defines each shape. */
export interface NodeFields {
  brief: BriefRow
  outline: OutlineRow
  reading: ReadingRow
  lineage: LineageRow
  facts: NodeFacts
  heat: NodeHeatRow
  change: NodeChangeRow
  /** Leaves out nodes whose text is not stored. */
  text: { key: number; text: string }
  full: DocumentNodeRow
  /** Everything stored about it, for a caller that will change it. */
  stored: StoredNodeFacts
  heatRecord: HeatRecord & { id: string }
  id: { key: number; id: string }
}

/** Selects live nodes unless stated otherwise; missing nodes are left out. */
export type NodeSelect =
  /** In this order; `removed` includes removed nodes. */
  | { ids: readonly string[]; removed?: boolean }
  | { keys: readonly number[]; removed?: boolean }
  /** All children of these nodes, by parent, then in order. */
  | { parents: readonly number[] }
  /** The nodes of a document, by key; with `limit` the first ones. */
  | { document: number; limit?: number }
  /** Nodes with greater keys, by key. Costs what it returns. */
  | { after: number; limit: number }
  /** The same, for nodes removed by a later snapshot than this one. Scans all nodes. */
  | { removedAfter: number; after: number; limit: number }
  /** The same, for nodes, live or removed, that changed in a range. Reads at most that many keys of each snapshot. */
  | { changedIn: SnapshotRange; after: number; limit: number }
  | OrderedNodes

/** The first `limit` nodes in an order that an engine maintains. Costs what it scans. */
export type OrderedNodes =
  /**
   * Nodes that cool, so not pinned ones, then by key. `below`: only with less heat. `isNew`: only those not reported
   * since they cooled.
   */
  | { order: 'coldest'; limit: number; below?: number; isNew?: boolean }
  | { order: 'coldest'; limit: number; unread: LongUnread }
  /**
   * The reverse, including pinned nodes; `pinned`: only those, or none. `apart`: only nodes warmer than all that do not
   * fit, so that ties are not broken arbitrarily.
   */
  | { order: 'warmest'; limit: number; pinned?: boolean; apart?: boolean }
  /** Includes removed nodes, newest change first. `limit` counts changes: a node may have several. */
  | { order: 'changed'; limit: number }

/** Among the coldest `lookedAt`, those with more than `tokens` that were not read or changed since `since`. */
export interface LongUnread {
  lookedAt: number
  tokens: number
  since: number
}

/** Nodes directly below a node, or roots for null; of all documents, or of one. */
export interface Siblings {
  parentKey: number | null
  documentId?: number
}

/** The level in an answer where an outline begins. */
interface AtLevel {
  level?: number
}

/**
 * The start of an outline: siblings, optionally after a place whose node may no longer exist; or one node. `before`: only
 * backwards, those before a place.
 */
export type OutlineStart = AtLevel &
  ((Siblings & { after?: OutlinePlace; before?: OutlinePlace }) | { id: string })

export interface OutlinePage<F extends keyof NodeFields> {
  fields: F
  limit: number
  /** The deepest level. Default: the level of the start. */
  depth?: number
  /** Siblings in reverse order, without descendants. Not for the roots of all documents. */
  backwards?: boolean
  /** Counts descendants of nodes at the deepest level. */
  sizes?: Sizes
}

export interface Walk<F extends keyof NodeFields> {
  fields: F
  /** Up to the root, each node once; down; or both from one node: first up, with negative distances, then down. */
  direction: 'up' | 'down' | 'both'
  /** Downwards: the maximum number of steps and of nodes. */
  depth?: number
  limit?: number
  /** If `depth` or `limit` leave something out: counts the descendants of the start. */
  sizes?: Sizes
}

/** Counts descendants at any depth: at most `max` nodes, the nearest ones. */
export interface Sizes {
  max: number
  /** Otherwise 0: summing costs more than counting nodes. */
  tokens?: boolean
}

export interface Size {
  nodes: number
  tokens: number
}

export type WalkFrom = { ids: readonly string[] } | { keys: readonly number[] }

/** A node at a distance from the start of a walk, or at a level of an outline. */
export type Walked<F extends keyof NodeFields> = NodeFields[F] & {
  distance: number
  /** If requested and not empty. */
  below?: Size
  /** For a root that starts an outline or a walk in both directions: the id of the next root in its document. */
  following?: string
}

export interface NodeReads {
  nodes<F extends keyof NodeFields>(select: NodeSelect, fields: F): Promise<NodeFields[F][]>
  /**
   * Live nodes in document order: for each start, the nodes there and after it, each with its descendants. Roots of all
   * documents: sources by root and path, then the other doors by kind and name. Costs what it returns.
   */
  outline<F extends keyof NodeFields>(
    from: readonly OutlineStart[],
    page: OutlinePage<F>,
  ): Promise<Walked<F>[]>
  /** Live nodes by distance from the start; at equal distance in document order. */
  walk<F extends 'lineage' | 'outline' | 'reading'>(from: WalkFrom, walk: Walk<F>): Promise<Walked<F>[]>
  /** Texts by digest; the map has no entry for a digest that is not stored. */
  texts(digests: string[]): Promise<Map<string, string>>
}
