import type { NodeChange } from '../plan.ts'
import type { WriteTx } from '../port/store.ts'
import type { WriteBase, WriteSet } from '../port/write-set.ts'
import type { LazySnapshot } from '../snapshot.ts'
import { countNode } from './counters.ts'
import { nodeWrites } from './node-writes.ts'

/** What it takes to change nodes in a transaction. */
export interface ChangeContext {
  tx: Pick<WriteTx, 'storedNodes' | 'commit'>
  base: () => Promise<WriteBase>
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
  const stored = known.length === 0 ? [] : await tx.storedNodes(known)
  const before = new Map(stored.map((node) => [node.key, node]))
  if (!known.every((key) => before.has(key))) throw new Error('a node was changed that was never there')
  const { digest, ...set } = nodeWrites(changes, before, { snapshotId, heatClock: heat.clock })
  snapshot.changeDigest(digest)
  await tx.commit({ ...more, ...set })
}

/** Nodes read at once, with their texts. */
const CHUNK = 1000

/** Takes live nodes out of the counters and the state digest; the rows are somebody else's business. */
export async function uncountNodes(
  tx: ChangeContext['tx'],
  snapshot: Pick<LazySnapshot, 'changeDigest'>,
  keys: readonly number[],
): Promise<void> {
  const counters = new Map<string, number>()
  for (let at = 0; at < keys.length; at += CHUNK)
    for (const node of await tx.storedNodes(keys.slice(at, at + CHUNK)))
      snapshot.changeDigest(countNode(counters, node, -1))
  await tx.commit({ counters })
}
