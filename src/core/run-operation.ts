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
  if (operation.makesLinks) return operation.run(tx, input, tools)
  const { takeChanges, noteNodes, noteDocuments, noteErased } = collectLinkChanges()
  const followChanges = () => relink(tx, takeChanges(), tools.now)
  const noting: WriteTx = Object.assign(Object.create(tx), {
    commit(set: WriteSet) {
      // Nodes that nothing knows any more go with their links: those are to be uncounted before.
      const followed = set.drop && followChanges()
      noteNodes(set.nodes ?? [])
      noteDocuments(set.documents ?? [])
      noteErased(set.erase?.nodes ?? [])
      return followed ? followed.then(() => tx.commit(set)) : tx.commit(set)
    },
  } satisfies Pick<WriteTx, 'commit'>)
  const result = await operation.run(noting, input, tools)
  await followChanges()
  return result
}
