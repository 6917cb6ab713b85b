import type { WriteTx } from '../port/store.ts'
import type { StoredNode, StoredNodeFacts } from '../port/stored.ts'

/** Rows changed at once. */
const CHUNK = 500

/** Changes rows of nodes, and nothing that follows from them. `change` gives undefined for what stays as it is. */
export async function changeNodeRows(
  tx: Pick<WriteTx, 'storedNodes' | 'commit'>,
  keys: readonly number[],
  change: (before: StoredNodeFacts) => StoredNode | undefined,
): Promise<void> {
  for (let at = 0; at < keys.length; at += CHUNK) {
    const stored = await tx.storedNodes({ keys: keys.slice(at, at + CHUNK) })
    const nodes = stored.flatMap((before) => {
      const after = change(before)
      return after ? [{ before, after }] : []
    })
    await tx.commit({ nodes })
  }
}
