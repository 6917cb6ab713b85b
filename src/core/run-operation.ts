import { collectLinkChanges } from './links/changes.ts'
import { relink } from './links/relink.ts'
import type { Operation, OperationTools, WriteTx } from './port/store.ts'
import type { WriteSet } from './port/write-set.ts'

/** How every engine runs an operation: what follows from its changes for links is stored with them, at its end. */
export async function runOperation<I, O>(
  operation: Operation<I, O>,
  tx: WriteTx,
  input: I,
  tools: OperationTools,
): Promise<O> {
  const { takeChanges, noteNodes, noteDocuments, noteErased } = collectLinkChanges()
  /** What the operation was told of links, as long as it does not change any itself. */
  let base: ReturnType<WriteTx['base']> | undefined
  const followChanges = () => relink(tx, takeChanges(), { at: tools.now, base })
  const noting: WriteTx = Object.assign(Object.create(tx), {
    base() {
      base = tx.base()
      return base
    },
    commit(set: WriteSet) {
      if (set.links) base = undefined
      noteNodes(set.nodes ?? [])
      noteDocuments(set.documents ?? [])
      return tx.commit(set)
    },
    async eraseDocument(documentId: number, snapshotId: number) {
      const members = await tx.scan('members', { of: [documentId], limit: Number.MAX_SAFE_INTEGER })
      const nodes = await tx.storedNodes(members.map(({ key }) => key))
      for (const { key } of nodes) noteErased(key)
      const live = nodes.filter(({ removedIn }) => removedIn === null)
      noteNodes(live.map((before) => ({ before, after: erased(before, snapshotId) })))
      return tx.eraseDocument(documentId, snapshotId)
    },
    /** Nodes that nothing knows any more go with their links: those are to be uncounted before. */
    async dropSnapshots(target: number, keep: number) {
      await followChanges()
      return tx.dropSnapshots(target, keep)
    },
  } satisfies Pick<WriteTx, 'base' | 'commit' | 'eraseDocument' | 'dropSnapshots'>)
  const result = await operation.run(noting, input, tools)
  await followChanges()
  return result
}

function erased<N extends { removedIn: number | null }>(node: N, snapshotId: number): N {
  return { ...node, parentKey: null, name: null, links: null, removedIn: snapshotId }
}
