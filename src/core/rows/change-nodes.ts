import type { SpaceState } from '../port/history.ts'
import type { WriteTx } from '../port/store.ts'
import type { StoredNodeFacts } from '../port/stored.ts'
import type { WriteSet } from '../port/write-set.ts'
import { utf8Length } from '../tokens.ts'
import { addTo } from './counters.ts'
import { nodeWrites } from './node-writes.ts'
import type { NodeChange } from './plan.ts'
import type { LazySnapshot } from './snapshot.ts'

/** Dependencies of changes to nodes in a transaction. */
export interface ChangeContext {
  tx: Pick<WriteTx, 'nodes' | 'commit'>
  base: () => Promise<SpaceState>
  snapshot: Pick<LazySnapshot, 'id' | 'changeDigest'>
}

export interface ChangeOptions {
  /** Stored nodes that were already read. */
  known?: Iterable<StoredNodeFacts>
  /** Rows to store with the changes. */
  more?: WriteSet
  /** By how many bytes the texts grow is added to it, by document. */
  growth?: Map<number, number> | undefined
}

/** Stores changes of nodes with all derived rows. */
export async function changeNodes(
  { tx, base, snapshot }: ChangeContext,
  changes: readonly NodeChange[],
  { known: given = [], more = {}, growth }: ChangeOptions = {},
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
  if (growth) for (const change of changes) addGrowth(growth, change, before.get(change.key))
  const { digest, ...set } = nodeWrites(changes, before, { snapshotId, heatClock: heat.clock })
  snapshot.changeDigest(digest)
  await tx.commit({ ...more, ...set })
}

/** A change without a text keeps the one that the node has. */
function addGrowth(
  growth: Map<number, number>,
  change: NodeChange,
  was: Pick<StoredNodeFacts, 'documentId' | 'text'> | undefined,
): void {
  const before = was?.text ?? ''
  const after = change.op === 'rem' ? '' : (change.text ?? before)
  const documentId = was?.documentId ?? (change.op === 'rem' ? 0 : change.documentId)
  addTo(growth, documentId, utf8Length(after) - utf8Length(before))
}
