import type { WriteTx } from '../port/store.ts'
import type { TextReferences } from '../port/write-set.ts'

/** What pruning removed, or would remove. */
export interface Pruned {
  snapshots: number
  versions: number
  /** That nothing refers to any more. */
  texts: number
  /** Of those texts, in UTF-8. */
  textBytes: number
  /** Removed nodes without any history left. */
  nodes: number
}

/** From here on everything stays: the newest snapshots. */
export interface PruneTail {
  /** The oldest of them. */
  from: number
  /** The newest when they were chosen. A rollback that deletes any of them deletes this one. */
  head: number
}

export function noPruned(): Pruned {
  return { snapshots: 0, versions: 0, texts: 0, textBytes: 0, nodes: 0 }
}

export function addPruned(sum: Pruned, { snapshots, versions, texts, textBytes, nodes }: Pruned): void {
  sum.snapshots += snapshots
  sum.versions += versions
  sum.texts += texts
  sum.textBytes += textBytes
  sum.nodes += nodes
}

/** The references of removed versions, counting the texts that go with them. */
export async function releaseTexts(
  tx: Pick<WriteTx, 'textSizes'>,
  removed: readonly { textKey: number | null }[],
  pruned: Pruned,
): Promise<TextReferences[]> {
  const counts = new Map<number, number>()
  for (const { textKey } of removed) if (textKey !== null) counts.set(textKey, (counts.get(textKey) ?? 0) + 1)
  const released = await tx.textSizes([...counts.keys()])
  return released.map(({ key, digest, references, bytes }) => {
    const by = counts.get(key) ?? 0
    if (references <= by) {
      pruned.texts++
      pruned.textBytes += bytes
    }
    return { digest, text: null, by: -by }
  })
}
