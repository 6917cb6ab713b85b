import type { NodeChange } from '../plan.ts'
import type { SpaceState } from '../port/history.ts'
import type { WriteTx } from '../port/store.ts'
import type { WriteSet } from '../port/write-set.ts'
import type { LazySnapshot } from '../snapshot.ts'
import { nodeWrites } from './node-writes.ts'

/** What it takes to change nodes in a transaction. */
export interface ChangeContext {
  tx: Pick<WriteTx, 'nodes' | 'commit'>
  base: () => Promise<SpaceState>
  snapshot: Pick<LazySnapshot, 'id' | 'changeDigest'>
}

/** Stores changes of nodes with all that follows from them, and `more` rows with them. */
export async function changeNodes(
  { tx, base, snapshot }: ChangeContext,
  changes: readonly NodeChange[],
  more: WriteSet = {},
): Promise<void> {
  const snapshotId = await snapshot.id()
  const { nextNodeKey, heat } = await base()
  const known = changes.flatMap(({ key }) => (key < nextNodeKey ? [key] : []))
  const stored = known.length === 0 ? [] : await tx.nodes({ keys: known, removed: true }, 'stored')
  const before = new Map(stored.map((node) => [node.key, node]))
  if (!known.every((key) => before.has(key))) throw new Error('a node was changed that was never there')
  const { digest, ...set } = nodeWrites(changes, before, { snapshotId, heatClock: heat.clock })
  snapshot.changeDigest(digest)
  await tx.commit({ ...more, ...set })
}
