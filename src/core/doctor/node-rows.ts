import type { NodeRow } from '../port/rows.ts'
import type { WriteTx } from '../port/store.ts'
import type { StoredNodeFacts } from '../port/stored.ts'

/** Rows changed in one set. */
const CHUNK = 500

/** Changes node rows, without derived rows. `change` returns undefined for an unchanged row. */
export async function changeNodeRows(
  tx: Pick<WriteTx, 'nodes' | 'commit'>,
  keys: readonly number[],
  change: (before: StoredNodeFacts) => NodeRow | undefined,
): Promise<void> {
  for (let at = 0; at < keys.length; at += CHUNK) {
    const stored = await tx.nodes({ keys: keys.slice(at, at + CHUNK), removed: true }, 'stored')
    const nodes = stored.flatMap((before) => {
      const after = change(before)
      return after ? [{ before, after }] : []
    })
    await tx.commit({ nodes })
  }
}
