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
  /** The numbers for new links; asked again once the operation itself has changed links. */
  let base: ReturnType<WriteTx['state']> | undefined
  async function followChanges(): Promise<void> {
    await relink(tx, takeChanges(), { at: tools.now, base })
    base = undefined
  }
  const noting: WriteTx = Object.assign(Object.create(tx), {
    state() {
      base = tx.state()
      return base
    },
    commit(set: WriteSet) {
      if (set.links) base = undefined
      // Nodes that nothing knows any more go with their links: those are to be uncounted before.
      const followed = set.drop && followChanges()
      noteNodes(set.nodes ?? [])
      noteDocuments(set.documents ?? [])
      noteErased(set.erase?.nodes ?? [])
      return followed ? followed.then(() => tx.commit(set)) : tx.commit(set)
    },
  } satisfies Pick<WriteTx, 'state' | 'commit'>)
  const result = await operation.run(noting, input, tools)
  await followChanges()
  return result
}
