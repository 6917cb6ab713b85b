import type { SpaceState } from '../port/history.ts'
import type { WriteTx } from '../port/store.ts'
import type { StoredNodeFacts } from '../port/stored.ts'
import type { WriteSet } from '../port/write-set.ts'
import { nodeWrites } from './node-writes.ts'
import type { NodeChange } from './plan.ts'
import type { LazySnapshot } from './snapshot.ts'

/** Dependencies of changes to nodes in a transaction. */
export interface ChangeContext {
  tx: Pick<WriteTx, 'nodes' | 'commit'>
  base: () => Promise<SpaceState>
  snapshot: Pick<LazySnapshot, 'id' | 'changeDigest'>
}

/**
 * Stores changes of nodes with all derived rows, and `more` rows with them. `known`: stored nodes that were already
 * read.
 */
export async function changeNodes(
  { tx, base, snapshot }: ChangeContext,
  changes: readonly NodeChange[],
  { known: given = [], more = {} }: { known?: Iterable<StoredNodeFacts>; more?: WriteSet } = {},
): Promise<void> {
  const snapshotId = await snapshot.id()
  const { nextNodeKey, heat } = await base()
  const changed = new Set(changes.flatMap(({ key }) => (key < nextNodeKey ? [key] : [])))
  const before = new Map<number, StoredNodeFacts>()
  if (changed.size > 0) for (const node of given) if (changed.has(node.key)) before.set(node.key, node)
  const keys = [...changed].filter((key) => !before.has(key))
  if (keys.length > 0)
    for (const node of await tx.nodes({ keys, removed: true }, 'stored')) before.set(node.key, node)
  if (before.size < changed.size) throw new Error('a changed node does not exist')
  const { digest, ...set } = nodeWrites(changes, before, { snapshotId, heatClock: heat.clock })
  snapshot.changeDigest(digest)
  await tx.commit({ ...more, ...set })
}
