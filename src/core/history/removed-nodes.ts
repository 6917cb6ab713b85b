import type { DocumentNodeRow, WriteTx } from '../port/store.ts'

/**
 * After versions were folded: removed nodes without a version left are deleted, unless something still needs their id.
 * The others were removed in the snapshot of their newest version. Returns how many were deleted.
 */
export async function removeEmptied(
  tx: Pick<WriteTx, 'nodes' | 'statesAt' | 'documents' | 'commit'>,
  keys: readonly number[],
  into: number,
): Promise<number> {
  const stored = keys.length > 0 ? await tx.nodes({ keys, removed: true }, 'full') : []
  const removed = stored.filter(({ removedIn }) => removedIn !== null)
  if (removed.length === 0) return 0
  const gone = await unknownNodes(tx, removed, into)
  const nodes = gone.map(({ key }) => key)
  if (nodes.length > 0)
    await tx.commit({
      fold: { into, versions: [], documentVersions: [], snapshots: [], parent: null, nodes },
    })
  return nodes.length
}

/** Those that nothing refers to. Corrects when the others were removed. */
async function unknownNodes(
  tx: Pick<WriteTx, 'statesAt' | 'documents' | 'commit'>,
  removed: readonly DocumentNodeRow[],
  into: number,
): Promise<DocumentNodeRow[]> {
  const ids = [...new Set(removed.map(({ documentId }) => documentId))]
  const keys = removed.map(({ key }) => key)
  const [newest, documents] = await Promise.all([
    tx.statesAt(keys, Number.MAX_SAFE_INTEGER),
    tx.documents({ ids }, 'row'),
  ])
  const known = new Map(newest.map(({ key, snapshotId }) => [key, snapshotId]))
  const erased = new Set(documents.filter(({ state }) => state === 'erased').map(({ id }) => id))
  const isGone = ({ key, overlay, documentId }: DocumentNodeRow): boolean =>
    !known.has(key) && !overlay && !erased.has(documentId)
  const others = removed.filter((node) => !isGone(node))
  const nodes = others.flatMap(({ overlay: _, ...before }) => {
    const removedIn = known.get(before.key) ?? into
    return removedIn === before.removedIn ? [] : [{ before, after: { ...before, removedIn } }]
  })
  if (nodes.length > 0) await tx.commit({ nodes })
  return removed.filter(isGone)
}
