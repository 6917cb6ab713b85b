import type { NodeRow } from '../port/rows.ts'
import type { DocumentWrite, NodePut } from '../port/write-set.ts'

/** What of a node matters to links, and where it stands. */
export type LinkNode = Pick<
  NodeRow,
  'key' | 'id' | 'documentId' | 'parentKey' | 'name' | 'links' | 'removedIn'
>

/** What became of a node in a transaction; before is null where it is new. */
export interface LinkChange {
  before: LinkNode | null
  after: LinkNode
}

/** What a transaction changed that decides where links lead. */
export interface LinkChanges {
  /** By key. */
  nodes: ReadonlyMap<number, LinkChange>
  /** Documents with another path. */
  moved: ReadonlySet<number>
  /** Nodes of which nothing is left, for their links hold words too. */
  erased: ReadonlySet<number>
  /** Documents that are new, and documents that are not found by any path: of those less has to be asked. */
  fresh: ReadonlySet<number>
  pathless: ReadonlySet<number>
}

/** Collects what sets of a transaction change: where links lead is decided once, at its end. */
export function collectLinkChanges() {
  let nodes = new Map<number, LinkChange>()
  let moved = new Set<number>()
  let erased = new Set<number>()
  const fresh = new Set<number>()
  const pathless = new Set<number>()
  return {
    /** What was noted since the last time. */
    takeChanges(): LinkChanges {
      const changes = { nodes, moved, erased, fresh, pathless }
      nodes = new Map()
      moved = new Set()
      erased = new Set()
      return changes
    },
    noteNodes(puts: readonly NodePut[]): void {
      for (const { before, after } of puts) {
        const known = nodes.get(after.key)
        nodes.set(after.key, {
          before: known ? known.before : before && linkNode(before),
          after: linkNode(after),
        })
      }
    },
    noteDocuments(writes: readonly DocumentWrite[]): void {
      for (const { before, after } of writes) {
        if (!before) fresh.add(after.id)
        else if (JSON.stringify(before.address) !== JSON.stringify(after.address)) moved.add(after.id)
        if (!('path' in after.address)) pathless.add(after.id)
      }
    },
    noteErased(keys: readonly number[]): void {
      for (const key of keys) erased.add(key)
    },
  }
}

/** Without its text: a transaction may change many nodes. */
function linkNode({ key, id, documentId, parentKey, name, links, removedIn }: LinkNode): LinkNode {
  return { key, id, documentId, parentKey, name, links, removedIn }
}
