import { type Hash64, nodeMark } from '../digest.ts'
import type { WriteTx } from '../port/store.ts'
import type { NodePut } from '../port/write-set.ts'

/** Nodes changed at once, with their texts. */
const CHUNK = 1000

/** Gives live nodes a mark, now that their parents are there: by key, each with the label of its own. Returns the sum of the marks. */
export async function markNodes(
  tx: Pick<WriteTx, 'nodes' | 'commit'>,
  hash: Hash64,
  labels: ReadonlyMap<number, string | null>,
): Promise<bigint> {
  const keys = [...labels.keys()]
  let sum = 0n
  for (let at = 0; at < keys.length; at += CHUNK) {
    const stored = await tx.nodes({ keys: keys.slice(at, at + CHUNK), removed: true }, 'stored')
    const parents = new Set(stored.flatMap(({ parentKey }) => parentKey ?? []))
    const found = await tx.nodes({ keys: [...parents], removed: true }, 'id')
    const ids = new Map(found.map(({ key, id }) => [key, id]))
    const nodes = stored.map(({ text: _, heat: __, ...before }): NodePut => {
      const parentId = ids.get(before.parentKey ?? 0) ?? null
      const said = { ...before, label: labels.get(before.key) ?? null }
      const mark = nodeMark(hash, before.id, parentId, said)
      sum += mark
      return { before, after: { ...before, mark } }
    })
    await tx.commit({ nodes })
  }
  return sum
}
